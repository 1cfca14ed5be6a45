(* claim: ntk_autoencoders-lemma-A-2
   digest: c9c1b4d09b6835cb

   Lemma A.2: given two vectors x, y in R^d and w ~ N(0, I),
     E[1(<w, x> >= 0, <w, y> >= 0) w w^T] = E[1(<w, x> >= 0, <w, y> >= 0) I].

   Two orthogonal vectors refute it: on the quadrant w_0, w_1 >= 0 the product w_0 w_1 is positive,
   so the entry (0, 1) of the left side is positive, and that of the right side is 0. Nothing else is
   used of the law of w; the statement is read for some law of full support, entry by entry. *)
From Coq Require Import Reals Lra Lia.
From Proofs.common Require Import sums full_support.
Open Scope R_scope.

Definition identity (a b : nat) : R := if Nat.eqb a b then 1 else 0.

Definition printed : Prop :=
  exists (d : nat) (E : ((nat -> R) -> R) -> R),
    (2 <= d)%nat /\ full_support d E /\
    forall x y a b, (a < d)%nat -> (b < d)%nat ->
      E (fun w => both d w x y * (w a * w b)) = E (fun w => both d w x y * identity a b).

Theorem refuted : ~ printed.
Proof.
  intros (d & E & Hd & HE & H).
  specialize (H (unit 0) (unit 1) 0%nat 1%nat ltac:(lia) ltac:(lia)).
  rewrite (mean_of_zero _ _ HE (fun w => both d w (unit 0) (unit 1) * identity 0 1)) in H
    by (intros w; unfold identity; simpl; ring).
  assert (P : 0 < E (fun w => both d w (unit 0) (unit 1) * (w 0%nat * w 1%nat))); [|lra].
  apply (mean_positive _ _ HE).
  - intros w. unfold both. rewrite !dot_unit by lia. repeat destruct Rle_dec; try lra.
    rewrite Rmult_1_l. apply Rmult_le_pos; assumption.
  - apply first_quadrant; [assumption|]. intros w H0 H1. unfold both. rewrite !dot_unit by lia.
    repeat destruct Rle_dec; try lra. rewrite Rmult_1_l. apply Rmult_lt_0_compat; assumption.
Qed.
