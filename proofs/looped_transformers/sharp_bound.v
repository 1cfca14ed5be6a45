(* claim: looped_transformers-sharp-bound
   digest: 5336d8d4c8077442

   After Theorem 8.16, the sharp bound. Gradient descent from 0 on |y - X theta|^2 / 2 with y = X
   theta* and the step 1/L, L = lambda_max(X^T X), answers q = alpha theta(T), and
     |<q, theta*> - alpha| <= |alpha| (1 - 1/kappa)^T <= |alpha| e^(-T/kappa)
   and |theta(T) - theta*| <= (1 - 1/kappa)^T, with equality on the left where theta* is the
   eigenvector of the smallest eigenvalue. That TF is alpha theta(T) is Theorem 8.14.

   Everything is written in the eigenbasis of X^T X: lambda_i are its d eigenvalues, from mu > 0 to
   L, and theta_i the coordinates of theta*, with |theta*| = 1 as in Definition 8.4. That there is
   such a basis, the spectral theorem, is not proved here. *)
From Coq Require Import Reals Lra Lia.
From Proofs.common Require Import sums.
Open Scope R_scope.

(* One coordinate of gradient descent: theta(t) - theta(t-1) = -(1/L) lambda (theta(t-1) - star). *)
Fixpoint descent (L lambda star : R) (t : nat) : R :=
  match t with
  | O => 0
  | S s => descent L lambda star s - / L * (lambda * (descent L lambda star s - star))
  end.

(* <q, theta*> - alpha *)
Definition error (d : nat) (lambda star : nat -> R) (L alpha : R) (T : nat) : R :=
  sum d (fun i => alpha * descent L (lambda i) (star i) T * star i) - alpha.

(* |theta(T) - theta*| *)
Definition distance (d : nat) (lambda star : nat -> R) (L : R) (T : nat) : R :=
  sqrt (sum d (fun i => Rsqr (descent L (lambda i) (star i) T - star i))).

Definition statement : Prop :=
  forall (d : nat) (lambda star : nat -> R) (mu L alpha : R) (T : nat),
    0 < mu -> mu <= L ->
    (forall i, (i < d)%nat -> mu <= lambda i <= L) ->
    sum d (fun i => Rsqr (star i)) = 1 ->
    let kappa := L / mu in
    Rabs (error d lambda star L alpha T) <= Rabs alpha * (1 - 1 / kappa) ^ T /\
    Rabs alpha * (1 - 1 / kappa) ^ T <= Rabs alpha * exp (- INR T / kappa) /\
    distance d lambda star L T <= (1 - 1 / kappa) ^ T /\
    ((forall i, (i < d)%nat -> star i <> 0 -> lambda i = mu) ->
      Rabs (error d lambda star L alpha T) = Rabs alpha * (1 - 1 / kappa) ^ T).

Lemma descent_closed L lambda star t :
  0 < L -> descent L lambda star t = (1 - (1 - lambda / L) ^ t) * star.
Proof.
  intros HL. induction t as [|t IH]; simpl; [ring|]. rewrite IH. field. lra.
Qed.

Lemma error_closed d lambda star L alpha T :
  0 < L -> sum d (fun i => Rsqr (star i)) = 1 ->
  error d lambda star L alpha T
  = - alpha * sum d (fun i => Rsqr (star i) * (1 - lambda i / L) ^ T).
Proof.
  intros HL H1. unfold error.
  rewrite (sum_ext d _ (fun i => alpha * Rsqr (star i)
    + (- alpha) * (Rsqr (star i) * (1 - lambda i / L) ^ T)))
    by (intros; rewrite descent_closed by assumption; unfold Rsqr; ring).
  rewrite sum_plus, !sum_scal, H1. ring.
Qed.

Theorem proved : statement.
Proof.
  intros d lambda star mu L alpha T Hmu HL Hl H1 kappa.
  assert (Hk : 1 / kappa = mu / L) by (unfold kappa; field; lra).
  assert (Hr : 0 <= 1 - mu / L).
  { assert (mu / L <= L / L) by (apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat|]; lra).
    replace (L / L) with 1 in * by (field; lra). lra. }
  assert (HE : Rabs (error d lambda star L alpha T)
    = Rabs alpha * sum d (fun i => Rsqr (star i) * (1 - lambda i / L) ^ T)).
  { rewrite error_closed, Rabs_mult, Rabs_Ropp by lra. f_equal. apply Rabs_right, Rle_ge.
    apply sum_nonneg. intros i Hi. apply Rmult_le_pos; [apply Rle_0_sqr|]. apply pow_le.
    assert (lambda i / L <= L / L)
      by (apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|apply Hl; assumption]).
    replace (L / L) with 1 in * by (field; lra). lra. }
  rewrite HE, Hk. split; [|split; [|split]].
  - apply Rmult_le_compat_l; [apply Rabs_pos|].
    replace ((1 - mu / L) ^ T) with (sum d (fun i => (1 - mu / L) ^ T * Rsqr (star i)))
      by (rewrite sum_scal, H1; ring).
    apply sum_le. intros i Hi. rewrite (Rmult_comm ((1 - mu / L) ^ T)).
    apply Rmult_le_compat_l; [apply Rle_0_sqr|]. apply pow_incr.
    destruct (Hl i Hi) as [A B]. pose proof (Rinv_0_lt_compat L ltac:(lra)).
    assert (lambda i / L <= L / L) by (apply Rmult_le_compat_r; lra).
    assert (mu / L <= lambda i / L) by (apply Rmult_le_compat_r; lra).
    replace (L / L) with 1 in * by (field; lra). lra.
  - apply Rmult_le_compat_l; [apply Rabs_pos|].
    replace (- INR T / kappa) with (INR T * (- (mu / L)))
      by (unfold kappa; field; lra).
    assert (Hexp : forall x n, exp (INR n * x) = exp x ^ n).
    { intros x n. induction n as [|n IH]; [simpl; rewrite Rmult_0_l; apply exp_0|].
      rewrite S_INR, Rmult_plus_distr_r, Rmult_1_l, exp_plus, IH. simpl. ring. }
    rewrite Hexp. apply pow_incr. split; [assumption|].
    assert (0 < mu / L) by (apply Rdiv_lt_0_compat; lra).
    pose proof (exp_ineq1 (- (mu / L)) ltac:(lra)). lra.
  - assert (P : 0 <= (1 - mu / L) ^ T) by (apply pow_le; assumption).
    unfold distance. rewrite <- (sqrt_Rsqr ((1 - mu / L) ^ T)) by assumption.
    apply sqrt_le_1_alt.
    replace (Rsqr ((1 - mu / L) ^ T))
      with (sum d (fun i => Rsqr ((1 - mu / L) ^ T) * Rsqr (star i))) by (rewrite sum_scal, H1; ring).
    apply sum_le. intros i Hi. rewrite descent_closed by lra.
    replace ((1 - (1 - lambda i / L) ^ T) * star i - star i)
      with (- ((1 - lambda i / L) ^ T * star i)) by ring.
    rewrite <- Rsqr_neg, Rsqr_mult. apply Rmult_le_compat_r; [apply Rle_0_sqr|].
    destruct (Hl i Hi) as [A B]. pose proof (Rinv_0_lt_compat L ltac:(lra)).
    assert (lambda i / L <= L / L) by (apply Rmult_le_compat_r; lra).
    assert (mu / L <= lambda i / L) by (apply Rmult_le_compat_r; lra).
    replace (L / L) with 1 in * by (field; lra).
    apply Rsqr_incr_1; [apply pow_incr; lra|apply pow_le; lra|assumption].
  - intros Hmin. f_equal.
    replace ((1 - mu / L) ^ T) with (sum d (fun i => (1 - mu / L) ^ T * Rsqr (star i)))
      by (rewrite sum_scal, H1; ring).
    apply sum_ext. intros i Hi. destruct (Req_EM_T (star i) 0) as [E|N].
    + rewrite E. unfold Rsqr. ring.
    + rewrite (Hmin i Hi N). ring.
Qed.
