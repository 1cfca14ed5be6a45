(* claim: ntk_autoencoders-H-limit
   digest: 56cf963dfdf510c0

   Section 3.2: for unit samples x_i and w ~ N(0, I),
     E[phi(w^T x_i) phi(w^T x_j)] = E[x_i^T x_j 1(w^T x_i >= 0, w^T x_j >= 0)],
   "which means that H^infinity_ij = G^infinity_ij for all i, j"; phi is the ReLU.

   Two orthogonal samples refute it: the right side is 0, and the left side is not, as both ReLUs
   are positive with positive probability. Nothing but that is used of the law of w, so the
   statement is read for some law of full support, and the negation says that none has it. *)
From Coq Require Import Reals Lra Lia.
From Proofs.common Require Import sums full_support.
Open Scope R_scope.

Definition printed : Prop :=
  exists (d : nat) (E : ((nat -> R) -> R) -> R),
    (2 <= d)%nat /\ full_support d E /\
    forall x y, dot d x x = 1 -> dot d y y = 1 ->
      E (fun w => relu (dot d w x) * relu (dot d w y)) = E (fun w => dot d x y * both d w x y).

Theorem refuted : ~ printed.
Proof.
  intros (d & E & Hd & HE & H).
  specialize (H (unit 0) (unit 1)).
  rewrite !dot_unit in H by lia. specialize (H eq_refl eq_refl).
  rewrite (mean_of_zero _ _ HE (fun w => unit 0 1 * both d w (unit 0) (unit 1))) in H
    by (intros w; unfold unit at 1; simpl; ring).
  assert (P : 0 < E (fun w => relu (dot d w (unit 0)) * relu (dot d w (unit 1)))); [|lra].
  apply (mean_positive _ _ HE).
  - intros w. apply Rmult_le_pos; apply Rmax_l.
  - apply first_quadrant; [assumption|]. intros w H0 H1. rewrite !dot_unit by lia.
    unfold relu. rewrite !Rmax_right by lra. apply Rmult_lt_0_compat; assumption.
Qed.
