(* claim: gemfilter-definition-9-1
   digest: 3ca225934215b544

   Thesis, Definition 9.1: causal self-attention is M_c o Softmax(Q K^T / sqrt d) V, with o the
   entrywise product and M_c lower triangular with entries 0 and 1.

   Read as: this is causal, so no row of the output depends on later tokens. The mask comes after
   the softmax, whose denominator has seen all tokens. The instance has d = 1, three queries 1 and
   three keys; changing the last key from log 1 to log 2 changes the first row from 1/3 to 1/4. *)
From Coq Require Import Reals List ZArith Lra Lia.
From Proofs.common Require Import sums attention.
Import ListNotations.
Open Scope R_scope.

Definition as_printed (n d : nat) (Q K V : matrix) (i c : nat) : R :=
  sum n (fun j => mask i j * softmax n (score d Q K i) j * V j c).

Definition printed : Prop := causal as_printed.

(* instance: definition_9_1.json *)
Definition keys : list Z := [1%Z; 1%Z; 1%Z].
Definition changed : list Z := [1%Z; 1%Z; 2%Z].
Definition values : list Z := [1%Z; 0%Z; 0%Z].
(* end of instance *)

Definition Q (_ _ : nat) : R := 1.
Definition K (exponentials : list Z) (j _ : nat) : R := ln (IZR (nth j exponentials 1%Z)).
Definition V (j _ : nat) : R := IZR (nth j values 0%Z).

(* exp of the score of key j *)
Lemma exp_score l i j : (0 < nth j l 1)%Z -> exp (score 1 Q (K l) i j) = IZR (nth j l 1%Z).
Proof.
  intros H. unfold score, Q, K. cbn [sum]. change (INR 1) with 1.
  rewrite sqrt_1, Rplus_0_l, Rmult_1_l. unfold Rdiv. rewrite Rinv_1, Rmult_1_r.
  apply exp_ln. apply IZR_lt. assumption.
Qed.

Lemma first_row l : (forall j, 0 < nth j l 1)%Z ->
  as_printed 3 1 Q (K l) V 0 0 = IZR (nth 0 l 1%Z)
    / (IZR (nth 0 l 1%Z) + IZR (nth 1 l 1%Z) + IZR (nth 2 l 1%Z)).
Proof.
  intros H. pose proof (IZR_lt _ _ (H 0%nat)). pose proof (IZR_lt _ _ (H 1%nat)).
  pose proof (IZR_lt _ _ (H 2%nat)).
  unfold as_printed, softmax, mask. cbn [sum Nat.leb].
  rewrite !exp_score by apply H. unfold V, values. cbn [nth]. field. lra.
Qed.

Theorem refuted : ~ printed.
Proof.
  intros H.
  specialize (H 3%nat 1%nat Q (K keys) V Q (K changed) V 0%nat 0%nat).
  rewrite !first_row in H by (unfold keys, changed; intros [|[|[|[|]]]]; cbn; lia).
  unfold keys, changed in H. cbn [nth] in H.
  assert (A : 1 / (1 + 1 + 1) = 1 / (1 + 1 + 2)); [|lra].
  apply H; try lia; try (intros j c _; reflexivity).
  intros j c Hj. replace j with 0%nat by lia. reflexivity.
Qed.
