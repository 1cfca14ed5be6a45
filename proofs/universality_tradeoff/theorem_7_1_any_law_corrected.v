(* claim: universality_tradeoff-theorem-7-1-any-law-corrected
   digest: cd583f085c142ecd

   With z_U+ drawn given z_R, so that x and x+ are two augmentations of one input, the contrastive
   loss with l(t) = -t is -E |phi_{z_R} - phi_0|^2 for every joint law with finitely many values. *)
From Coq Require Import Reals Lra Lia.
From Proofs.common Require Import sums contrastive.
Open Scope R_scope.

Definition statement : Prop :=
  forall (m n k : nat) (prob : nat -> nat -> R) (phi : nat -> nat -> nat -> R),
    law m n prob ->
    (forall r, (r < m)%nat -> 0 < marginal n prob r) ->
    contrastive m n k prob (fun r u => prob r u / marginal n prob r) phi = pca m n k prob phi.

Lemma mean_ext m n prob f g :
  (forall r u, (r < m)%nat -> (u < n)%nat -> f r u = g r u) -> mean m n prob f = mean m n prob g.
Proof.
  intros H. unfold mean. apply sum_ext. intros r Hr. apply sum_ext. intros u Hu.
  rewrite H by assumption. reflexivity.
Qed.

Lemma mean_sum m n k prob (f : nat -> nat -> nat -> R) :
  mean m n prob (fun r u => sum k (f r u)) = sum k (fun c => mean m n prob (fun r u => f r u c)).
Proof.
  unfold mean.
  rewrite <- (sum_exchange m k). apply sum_ext. intros r _.
  rewrite <- (sum_exchange n k). apply sum_ext. intros u _. rewrite sum_scal. reflexivity.
Qed.

Lemma mean_affine m n prob a b f :
  sum m (fun r => sum n (fun u => prob r u)) = 1 ->
  mean m n prob (fun r u => a + b * f r u) = a + b * mean m n prob f.
Proof.
  intros H. unfold mean.
  rewrite (sum_ext m _ (fun r => a * sum n (fun u => prob r u) + b * sum n (fun u => prob r u * f r u))).
  - rewrite sum_plus, !sum_scal, H. ring.
  - intros r _. rewrite <- !sum_scal, <- sum_plus. apply sum_ext. intros u _. ring.
Qed.

(* One coordinate h of phi. *)
Section Coordinate.
Variables (m n : nat) (prob : nat -> nat -> R) (h : nat -> nat -> R).
Hypothesis prob_law : law m n prob.
Hypothesis positive : forall r, (r < m)%nat -> 0 < marginal n prob r.

Let h_R r := sum n (fun u => prob r u * h r u) / marginal n prob r.
Let h_0 := mean m n prob h.

Lemma second_is_a_law r : (r < m)%nat -> sum n (fun u => prob r u / marginal n prob r) = 1.
Proof.
  intros Hr. specialize (positive r Hr).
  rewrite (sum_ext n _ (fun u => / marginal n prob r * prob r u)) by (intros; unfold Rdiv; ring).
  rewrite sum_scal. apply (Rinv_l (marginal n prob r)). lra.
Qed.

Lemma inner_mean r u u' :
  mean m n prob (fun s v => - (h r u * (h r u' - h s v))) = - (h r u * h r u') + h r u * h_0.
Proof.
  rewrite (mean_ext m n prob _ (fun s v => - (h r u * h r u') + h r u * h s v)) by (intros; ring).
  rewrite mean_affine by apply prob_law. reflexivity.
Qed.

Lemma over_the_copy r u : (r < m)%nat ->
  sum n (fun u' => prob r u' / marginal n prob r *
    mean m n prob (fun s v => - (h r u * (h r u' - h s v)))) = h r u * (h_0 - h_R r).
Proof.
  intros Hr. pose proof (positive r Hr) as P.
  rewrite (sum_ext n _ (fun u' => h r u * h_0 * (prob r u' / marginal n prob r)
    + - (h r u / marginal n prob r) * (prob r u' * h r u')))
    by (intros; rewrite inner_mean; field; lra).
  rewrite sum_plus, !sum_scal, second_is_a_law by assumption. unfold h_R. field. lra.
Qed.

Lemma given_r r : (r < m)%nat ->
  sum n (fun u => prob r u * (h r u * (h_0 - h_R r))) = marginal n prob r * (h_R r * (h_0 - h_R r)).
Proof.
  intros Hr. pose proof (positive r Hr) as P.
  rewrite (sum_ext n _ (fun u => (h_0 - h_R r) * (prob r u * h r u))) by (intros; ring).
  rewrite sum_scal. unfold h_R at 2. field. lra.
Qed.

Lemma mean_of_means : sum m (fun r => marginal n prob r * h_R r) = h_0.
Proof.
  unfold h_0, mean. apply sum_ext. intros r Hr. pose proof (positive r Hr). unfold h_R. field. lra.
Qed.

Lemma one_coordinate :
  mean m n prob (fun r u => sum n (fun u' => prob r u' / marginal n prob r *
    mean m n prob (fun s v => - (h r u * (h r u' - h s v)))))
  = - sum m (fun r => marginal n prob r * Rsqr (h_R r - h_0)).
Proof.
  unfold mean at 1.
  rewrite (sum_ext m _ (fun r => marginal n prob r * (h_R r * (h_0 - h_R r)))).
  2: { intros r Hr. rewrite <- given_r by assumption. apply sum_ext. intros u _.
       rewrite over_the_copy by assumption. reflexivity. }
  apply Rplus_eq_reg_l with (sum m (fun r => marginal n prob r * Rsqr (h_R r - h_0))).
  rewrite <- sum_plus, Rplus_opp_r.
  rewrite (sum_ext m _ (fun r => - h_0 * (marginal n prob r * h_R r) + Rsqr h_0 * marginal n prob r))
    by (intros; unfold Rsqr; ring).
  rewrite sum_plus, !sum_scal, mean_of_means.
  assert (T : sum m (marginal n prob) = 1) by apply prob_law.
  rewrite T. unfold Rsqr. ring.
Qed.
End Coordinate.

Theorem proved : statement.
Proof.
  intros m n k prob phi L P. unfold contrastive, pca.
  rewrite (mean_ext m n prob _ (fun r u => sum k (fun c =>
    sum n (fun u' => prob r u' / marginal n prob r *
      mean m n prob (fun s v => - (phi r u c * (phi r u' c - phi s v c))))))).
  - rewrite mean_sum.
    rewrite (sum_ext k _ (fun c => - sum m (fun r => marginal n prob r *
      Rsqr (phi_R n prob phi r c - phi_0 m n prob phi c))))
      by (intros c _; apply (one_coordinate m n prob (fun r u => phi r u c) L P)).
    rewrite (sum_ext m _ (fun r => sum k (fun c => marginal n prob r *
      Rsqr (phi_R n prob phi r c - phi_0 m n prob phi c)))) by (intros; rewrite sum_scal; reflexivity).
    rewrite sum_exchange.
    rewrite (sum_ext k _ (fun c => -1 * sum m (fun r => marginal n prob r *
      Rsqr (phi_R n prob phi r c - phi_0 m n prob phi c)))) by (intros; ring).
    rewrite sum_scal. ring.
  - intros r u _ _. rewrite <- (sum_exchange n k). apply sum_ext. intros u' _.
    rewrite sum_scal. f_equal. rewrite <- mean_sum. apply mean_ext. intros s v _ _. unfold dot.
    rewrite (sum_ext k (fun c => - (phi r u c * (phi r u' c - phi s v c)))
      (fun c => -1 * (phi r u c * (phi r u' c - phi s v c)))) by (intros; ring).
    rewrite sum_scal. ring.
Qed.
