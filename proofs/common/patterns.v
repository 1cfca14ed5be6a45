(* Patterns and labels in the general setting of feature_emergence, Appendix F.1, without noise. *)
From Coq Require Import Reals List Bool Lra Lia.
From Proofs.common Require Import sums losses.
Import ListNotations.
Open Scope R_scope.

Definition bit (b : bool) : R := if b then 1 else 0.
Definition count (n : nat) (f : nat -> bool) : nat := length (filter f (seq 0 n)).

(* (D): unit columns, and products of at most h. *)
Definition incoherent (d D : nat) (h : R) (M : nat -> nat -> R) : Prop :=
  forall i j, (i < D)%nat -> (j < D)%nat ->
  if Nat.eqb i j then sum d (fun a => M a i * M a j) = 1
  else Rabs (sum d (fun a => M a i * M a j)) <= h.

Definition relevant (D : nat) (A phi : nat -> bool) : nat := count D (fun j => A j && phi j).
Definition background (D : nat) (A phi : nat -> bool) : nat :=
  count D (fun j => negb (A j) && phi j).
Definition positive (D : nat) (A P phi : nat -> bool) : bool := P (relevant D A phi).

Definition mean (n : nat) (prob f : nat -> R) : R := sum n (fun w => prob w * f w).

(* Whether phi agrees with v in the patterns of S. *)
Definition agrees (D : nat) (S v phi : nat -> bool) : bool :=
  forallb (fun i => negb (S i) || eqb (phi i) (v i)) (seq 0 D).

(* The distribution with the atoms 0, ..., n - 1 of probabilities prob meets the assumptions;
   phi w j says whether atom w has pattern j. *)
Record family (D k : nat) (gamma p_o : R) (A P : nat -> bool)
    (n : nat) (prob : nat -> R) (phi : nat -> nat -> bool) : Prop := {
  k_are_relevant : count D A = k;
  P_in_1_to_k : forall m, P m = true -> (1 <= m <= k)%nat;
  probabilities : distribution n prob;
  (* gamma_v = E[y phi_i | y = v] for v = 1 and -1, and gamma is half their sum *)
  A1 : exists up down,
       0 < mean n prob (fun w => bit (positive D A P (phi w))) < 1 /\
       (forall i, (i < D)%nat -> A i = true ->
          mean n prob (fun w => bit (positive D A P (phi w)) * bit (phi w i))
          = up * mean n prob (fun w => bit (positive D A P (phi w))) /\
          mean n prob (fun w => - bit (negb (positive D A P (phi w))) * bit (phi w i))
          = down * mean n prob (fun w => bit (negb (positive D A P (phi w))))) /\
       gamma = (up + down) / 2;
  A1_positive : 0 < gamma;
  A2 : forall u v,
       mean n prob (fun w => bit (agrees D A u (phi w) && agrees D (fun j => negb (A j)) v (phi w)))
       = mean n prob (fun w => bit (agrees D A u (phi w)))
         * mean n prob (fun w => bit (agrees D (fun j => negb (A j)) v (phi w)));
  p_o_of_all : forall j, (j < D)%nat -> A j = false -> mean n prob (fun w => bit (phi w j)) = p_o
}.

Lemma agrees_ext D S v f g :
  (forall i, S i = true -> f i = g i) -> agrees D S v f = agrees D S v g.
Proof.
  intros H. unfold agrees. induction (seq 0 D) as [|i l IH]; [reflexivity|]. simpl.
  rewrite IH. destruct (S i) eqn:E; [rewrite (H i E)|]; reflexivity.
Qed.
