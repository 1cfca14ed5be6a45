(* claim: gradient_features-b-56-smooth
   digest: e11139e1e50b9820

   Thesis, proof of Theorem B.56, (B.485): the loss there is the hinge loss, and the step uses
   |l'(u) - l'(v)| <= |u - v|.

   Read wherever both derivatives exist. The derivative jumps from -1 to 0 at 1; the instance has
   u and v on either side. *)
From Coq Require Import Reals QArith Qreals Lra.
From Proofs.common Require Import losses.
Open Scope R_scope.

Definition printed : Prop :=
  forall u v slope_u slope_v : R,
    derivable_pt_lim hinge u slope_u ->
    derivable_pt_lim hinge v slope_v ->
    Rabs (slope_u - slope_v) <= Rabs (u - v).

(* instance: b_56_smooth.json *)
Definition left : Q := ((9) # 10)%Q.
Definition right : Q := ((11) # 10)%Q.
(* end of instance *)

Lemma slope_below_one u : u < 1 -> derivable_pt_lim hinge u (-1).
Proof.
  intros Hu e He.
  assert (P : 0 < 1 - u) by lra. exists (mkposreal _ P). intros t Ht Hd. cbn in Hd.
  unfold hinge, Rmax.
  destruct (Rabs_def2 _ _ Hd) as [H1 H2].
  destruct (Rle_dec 0 (1 - (u + t))); [|lra]. destruct (Rle_dec 0 (1 - u)); [|lra].
  replace ((1 - (u + t) - (1 - u)) / t - -1) with 0 by (field; assumption).
  rewrite Rabs_R0. assumption.
Qed.

Lemma slope_above_one v : 1 < v -> derivable_pt_lim hinge v 0.
Proof.
  intros Hv e He.
  assert (P : 0 < v - 1) by lra. exists (mkposreal _ P). intros t Ht Hd. cbn in Hd.
  unfold hinge, Rmax.
  destruct (Rabs_def2 _ _ Hd) as [H1 H2].
  destruct (Rle_dec 0 (1 - (v + t))); [lra|]. destruct (Rle_dec 0 (1 - v)); [lra|].
  replace ((0 - 0) / t - 0) with 0 by (field; assumption).
  rewrite Rabs_R0. assumption.
Qed.

Theorem refuted : ~ printed.
Proof.
  intros H.
  specialize (H (Q2R left) (Q2R right) (-1) 0).
  unfold left, right, Q2R in H. cbn [Qnum Qden] in H.
  assert (U : 9 * / 10 < 1) by lra. assert (V : 1 < 11 * / 10) by lra.
  specialize (H (slope_below_one _ U) (slope_above_one _ V)).
  revert H. unfold Rabs. repeat destruct Rcase_abs; lra.
Qed.
