(* claim: nuclear_norm-table-averages
   digest: dde0fdc963695ff8

   Thesis, Tables 6.1, 6.3 and E.1 to E.6: the last column is the average of the others.

   Read with all the room that rounding to one decimal leaves: the printed average may be off by
   half a unit, and each of the other numbers too, so their mean; together one tenth. Only Table 6.1
   is written here, as one wrong row refutes the claim for all tables. A row is the five accuracies
   and the average, in tenths of a per cent; that of SelfReg is the 17th. *)
From Coq Require Import ZArith List Lia.
Import ListNotations.
Open Scope Z_scope.

Definition total (row : list Z) : Z := fold_right Z.add 0 row.

(* |average - mean of the others| <= 1 tenth, times their number *)
Definition agrees (row : list Z) : Prop :=
  let others := removelast row in
  let number := Z.of_nat (length others) in
  Z.abs (number * last row 0 - total others) <= number.

(* instance: table_averages.json *)
Definition rows : list (list Z) := [[775%Z; 846%Z; 663%Z; 422%Z; 234%Z; 588%Z]; [779%Z; 852%Z; 604%Z; 440%Z; 340%Z; 603%Z]; [767%Z; 844%Z; 660%Z; 432%Z; 333%Z; 607%Z]; [785%Z; 835%Z; 643%Z; 476%Z; 339%Z; 616%Z]; [776%Z; 851%Z; 648%Z; 455%Z; 355%Z; 617%Z]; [783%Z; 849%Z; 664%Z; 464%Z; 336%Z; 619%Z]; [775%Z; 826%Z; 658%Z; 458%Z; 383%Z; 620%Z]; [781%Z; 844%Z; 656%Z; 446%Z; 372%Z; 620%Z]; [786%Z; 836%Z; 659%Z; 467%Z; 383%Z; 626%Z]; [771%Z; 852%Z; 655%Z; 466%Z; 389%Z; 627%Z]; [772%Z; 846%Z; 664%Z; 456%Z; 406%Z; 629%Z]; [774%Z; 846%Z; 681%Z; 479%Z; 392%Z; 634%Z]; [772%Z; 849%Z; 668%Z; 477%Z; 412%Z; 636%Z]; [778%Z; 855%Z; 686%Z; 451%Z; 427%Z; 639%Z]; [778%Z; 855%Z; 678%Z; 474%Z; 417%Z; 640%Z]; [778%Z; 863%Z; 681%Z; 486%Z; 403%Z; 642%Z]; [778%Z; 856%Z; 679%Z; 470%Z; 415%Z; 642%Z]; [788%Z; 862%Z; 687%Z; 476%Z; 415%Z; 645%Z]; [794%Z; 858%Z; 696%Z; 433%Z; 443%Z; 645%Z]; [790%Z; 862%Z; 692%Z; 481%Z; 428%Z; 651%Z]; [790%Z; 854%Z; 705%Z; 504%Z; 443%Z; 659%Z]; [775%Z; 855%Z; 665%Z; 461%Z; 409%Z; 633%Z]; [783%Z; 856%Z; 681%Z; 496%Z; 434%Z; 650%Z]; [791%Z; 881%Z; 706%Z; 500%Z; 465%Z; 669%Z]; [798%Z; 885%Z; 713%Z; 522%Z; 471%Z; 678%Z]].
(* end of instance *)

Definition printed : Prop := Forall agrees rows.

Theorem refuted : ~ printed.
Proof.
  unfold printed. rewrite Forall_forall. intros H.
  specialize (H (nth 16 rows [])).
  assert (I : In (nth 16 rows []) rows) by (apply nth_In; vm_compute; lia).
  specialize (H I). vm_compute in H. apply H. reflexivity.
Qed.
