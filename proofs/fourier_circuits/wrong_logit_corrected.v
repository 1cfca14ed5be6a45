(* claim: fourier_circuits-wrong-logit-corrected
   digest: d682a50309b75db7

   The sum of cos(2 pi zeta s / p) over zeta = 1, ..., (p-1)/2 is (p-1)/2 for s = 0 and -1/2 for
   0 < s < p. So the construction, whose logit at distance s from the true label is this sum, up to a
   factor, has the margin p/2. Proved for every odd p, by telescoping with sin(pi s / p). *)
From Coq Require Import Reals Lra Lia.
From Proofs.common Require Import sums cosines.
Open Scope R_scope.

Definition statement : Prop :=
  forall h s : nat, let p := (2 * h + 1)%nat in
    (1 <= h)%nat -> (s < p)%nat ->
    cosine_sum h s = (if Nat.eqb s 0 then (INR p - 1) / 2 else - (1 / 2)) /\
    ((0 < s)%nat -> cosine_sum h 0 - cosine_sum h s = INR p / 2).

(* 2 sin(t/2) (cos t + ... + cos(h t)) = sin((h + 1/2) t) - sin(t/2) *)
Lemma telescope h t :
  2 * sin (t / 2) * sum h (fun z => cos (INR (S z) * t)) = sin (INR h * t + t / 2) - sin (t / 2).
Proof.
  induction h as [|h IH].
  - simpl. rewrite Rmult_0_l, Rplus_0_l. lra.
  - cbn [sum]. rewrite Rmult_plus_distr_l, IH, S_INR.
    replace (INR h * t + t / 2) with ((INR h + 1) * t - t / 2) by field.
    replace ((INR h + 1) * t + t / 2) with ((INR h + 1) * t + t / 2) by reflexivity.
    rewrite sin_minus, sin_plus. ring.
Qed.

Lemma sin_natural s : sin (INR s * PI) = 0.
Proof.
  induction s as [|s IH]; [simpl; rewrite Rmult_0_l; apply sin_0|].
  rewrite S_INR, Rmult_plus_distr_r, Rmult_1_l, neg_sin, IH. ring.
Qed.

Lemma at_zero h : cosine_sum h 0 = INR h.
Proof.
  unfold cosine_sum. rewrite (sum_ext h _ (fun _ => 1)).
  - induction h as [|h IH]; [reflexivity|]. cbn [sum]. rewrite IH, S_INR. reflexivity.
  - intros z _. rewrite <- cos_0. f_equal. simpl (INR 0). unfold Rdiv. ring.
Qed.

Lemma elsewhere h s : (0 < s)%nat -> (s < 2 * h + 1)%nat -> cosine_sum h s = - (1 / 2).
Proof.
  intros H0 Hs. unfold cosine_sum. set (p := INR (2 * h + 1)).
  assert (Hp : 0 < p) by (apply lt_0_INR; lia).
  assert (Ip : p = 2 * INR h + 1) by (unfold p; rewrite plus_INR, mult_INR; simpl; ring).
  assert (Is : 0 < INR s) by (apply lt_0_INR; assumption).
  assert (Isp : INR s < p) by (apply lt_INR; assumption).
  set (t := 2 * PI * INR s / p).
  rewrite (sum_ext h _ (fun z => cos (INR (S z) * t)))
    by (intros; unfold t; f_equal; field; lra).
  pose proof (telescope h t) as T.
  replace (INR h * t + t / 2) with (INR s * PI) in T
    by (unfold t; rewrite Ip; field; lra).
  rewrite sin_natural in T.
  assert (S : 0 < sin (t / 2)).
  { pose proof PI_RGT_0. apply sin_gt_0.
    - unfold t. apply Rmult_lt_0_compat; [|lra]. apply Rdiv_lt_0_compat; [nra|assumption].
    - replace (t / 2) with (PI * (INR s / p)) by (unfold t; field; lra).
      rewrite <- (Rmult_1_r PI) at 2. apply Rmult_lt_compat_l; [assumption|].
      apply (Rmult_lt_reg_r p); [assumption|]. replace (INR s / p * p) with (INR s) by (field; lra).
      lra. }
  apply (Rmult_eq_reg_l (2 * sin (t / 2))); [|lra]. lra.
Qed.

Theorem proved : statement.
Proof.
  intros h s p Hh Hs.
  assert (Ip : INR p = 2 * INR h + 1) by (unfold p; rewrite plus_INR, mult_INR; simpl; ring).
  split.
  - destruct (Nat.eqb_spec s 0) as [->|N].
    + rewrite at_zero, Ip. field.
    + apply elsewhere; [lia|assumption].
  - intros H0. rewrite at_zero, elsewhere, Ip by assumption. field.
Qed.
