(* claim: gradient_features-logistic-multiples
   digest: 0eff46f380042614

   Thesis, Remark 3.2: the logistic loss log(1 + e^-z) satisfies Assumption 3.1, which asks for a
   1-Lipschitz convex decreasing loss with l(0) = 1 that vanishes at infinity.

   No multiple c log(1 + e^-z) does, the factor 1 among them: l(0) = 1 asks for c = 1/log 2 > 1, and
   c l is not 1-Lipschitz. *)
From Coq Require Import Reals Lra.
From Proofs.common Require Import losses.
Open Scope R_scope.

Definition logistic (z : R) : R := ln (1 + exp (- z)).

Definition statement : Prop := forall c, ~ assumption_3_1 (fun z => c * logistic z).

Lemma logistic_at_zero : logistic 0 = ln 2.
Proof. unfold logistic. rewrite Ropp_0, exp_0. replace (1 + 1) with 2 by lra. reflexivity. Qed.

(* log 2 < 1, since 2 < e *)
Lemma ln_2_below_1 : ln 2 < 1.
Proof.
  rewrite <- (ln_exp 1). apply ln_increasing; [lra|].
  replace 2 with (1 + 1) by lra. apply exp_ineq1. lra.
Qed.

(* Towards minus infinity the slope of the logistic loss tends to -1: l(-z) >= z. *)
Lemma logistic_above z : z <= logistic (- z).
Proof.
  unfold logistic. rewrite Ropp_involutive. rewrite <- (ln_exp z) at 1.
  left. apply ln_increasing; pose proof (exp_pos z); lra.
Qed.

Theorem proved : statement.
Proof.
  intros c H. pose proof (one_at_zero _ H) as H0. cbv beta in H0.
  rewrite logistic_at_zero in H0.
  pose proof ln_2_below_1 as L1.
  assert (L0 : 0 < ln 2) by (rewrite <- ln_1; apply ln_increasing; lra).
  assert (Hc : 1 < c) by nra.
  (* at -z with z large, c l(-z) >= c z exceeds 1 + z *)
  set (z := 2 / (c - 1)).
  assert (Hz : 0 < z) by (unfold z; apply Rdiv_lt_0_compat; lra).
  assert (Ez : (c - 1) * z = 2) by (unfold z; field; lra).
  pose proof (is_lipschitz _ H (- z) 0) as HL. cbv beta in HL.
  rewrite logistic_at_zero in HL.
  replace (Rabs (- z - 0)) with z in HL
    by (replace (- z - 0) with (- z) by ring; rewrite Rabs_Ropp, Rabs_right; lra).
  pose proof (logistic_above z) as HA.
  assert (c * logistic (- z) - c * ln 2 <= 1 * z) by (eapply Rle_trans; [apply Rle_abs|exact HL]).
  nra.
Qed.
