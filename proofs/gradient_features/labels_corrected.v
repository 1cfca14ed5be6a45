(* claim: gradient_features-labels-corrected
   digest: c82e9d13fc203a80

   The first inequality of Theorem 3.12, (3.13), for labels 1 and -1 only:
     Pr[sign(g(x)) <> y] <= E l(y g(x))
   for every loss that meets Assumption 3.1 and every distribution with finitely many atoms. The
   proof uses that l decreases, is 1 at 0 and is nowhere negative, as it vanishes at infinity. *)
From Coq Require Import Reals Lra Lia.
From Proofs.common Require Import sums losses.
Open Scope R_scope.

Definition statement : Prop :=
  forall (l : R -> R) (n : nat) (prob y g : nat -> R),
    assumption_3_1 l ->
    distribution n prob ->
    (forall x, (x < n)%nat -> y x = 1 \/ y x = -1) ->
    error n prob y g <= risk l n prob y g.

(* A decreasing function that tends to 0 is nowhere negative. *)
Lemma nonnegative l : assumption_3_1 l -> forall z, 0 <= l z.
Proof.
  intros H z. destruct (Rle_dec 0 (l z)) as [|N]; [assumption|exfalso].
  destruct (zero_at_infinity _ H (- l z / 2)) as [z0 Hz0]; [lra|].
  pose proof (Hz0 (Rmax z z0) (Rmax_r _ _)) as A.
  pose proof (is_decreasing _ H z (Rmax z z0) (Rmax_l _ _)) as B.
  pose proof (Rle_abs (l (Rmax z z0))). pose proof (Rle_abs (- l (Rmax z z0))).
  rewrite Rabs_Ropp in *. lra.
Qed.

(* Where the sign is wrong, y g <= 0, so the loss is at least 1. *)
Lemma wrong_sign_costs_one l y g :
  assumption_3_1 l -> y = 1 \/ y = -1 -> sign g <> y -> 1 <= l (y * g).
Proof.
  intros H Hy Hs. rewrite <- (one_at_zero _ H). apply (is_decreasing _ H).
  revert Hs. unfold sign.
  destruct (Rlt_dec 0 g); [|destruct (Rlt_dec g 0)]; destruct Hy as [-> | ->]; intros; try lra;
    exfalso; auto.
Qed.

Theorem proved : statement.
Proof.
  intros l n prob y g Hl [Hp _] Hy. apply sum_le. intros x Hx.
  apply Rmult_le_compat_l; [auto|].
  destruct (Req_EM_T (sign (g x)) (y x)) as [|N].
  - apply nonnegative. assumption.
  - apply wrong_sign_costs_one; auto.
Qed.
