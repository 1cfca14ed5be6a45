(* claim: universality_tradeoff-theorem-7-1-any-law
   digest: c7d4e15ea38e0f23

   Thesis, Theorem 7.1 with the data of (7.3): z = [z_R; z_U] ~ D_z, and z_U+ ~ D_U, the marginal
   law. For l(t) = -t the contrastive loss is -E |phi_{z_R} - phi_0|^2.

   Read literally: (7.3) does not ask that z_U be independent of z_R, which the proof in Appendix
   F.1 uses. The instance has two values of each and a scalar phi. With the copy drawn given z_R
   the theorem holds for every law: theorem_7_1_any_law_corrected.v. *)
From Coq Require Import Reals List ZArith QArith Qreals Lra Lia.
From Proofs.common Require Import sums contrastive.
Import ListNotations.
Open Scope R_scope.

Definition printed : Prop :=
  forall (m n k : nat) (prob : nat -> nat -> R) (phi : nat -> nat -> nat -> R),
    law m n prob ->
    (forall r, (r < m)%nat -> 0 < marginal n prob r) ->
    let D_U u := sum m (fun r => prob r u) in
    contrastive m n k prob (fun _ u => D_U u) phi = pca m n k prob phi.

(* instance: theorem_7_1_any_law.json *)
Definition prob : list (list Q) := [[((1) # 2)%Q; ((0) # 1)%Q]; [((1) # 4)%Q; ((1) # 4)%Q]].
Definition phi : list (list Z) := [[0%Z; 0%Z]; [0%Z; 1%Z]].
(* end of instance *)

Definition p (r u : nat) : R := Q2R (nth u (nth r prob []) 0%Q).
Definition f (r u _ : nat) : R := IZR (nth u (nth r phi []) 0%Z).

Theorem refuted : ~ printed.
Proof.
  intros H. specialize (H 2%nat 2%nat 1%nat p f). cbv zeta in H.
  assert (L : law 2 2 p).
  { split.
    - intros [|[|r]] [|[|u]] Hr Hu; try lia; unfold p, prob, Q2R; cbn; lra.
    - unfold p, prob, Q2R; cbn; lra. }
  assert (M : forall r, (r < 2)%nat -> 0 < marginal 2 p r).
  { intros [|[|r]] Hr; try lia; unfold marginal, p, prob, Q2R; cbn; lra. }
  specialize (H L M). revert H.
  unfold contrastive, pca, mean, dot, phi_R, phi_0, mean, marginal, p, f, prob, phi, Q2R, Rsqr.
  cbn [sum nth Qnum Qden]. intros H. field_simplify in H. lra.
Qed.
