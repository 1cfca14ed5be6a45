(* claim: ntk_autoencoders-lemma-5-2
   digest: 4bf1ccedc27c43c0

   Lemma 5.2: "Suppose |W(t) - W(0)|_F <= R_w. Then
     |H(t) - H(0)| <= (lambda_n / m) (2 |W(0)| + R_w) R_w",
   where H(t) = phi(X^T W(t)) phi(W(t)^T X) / m, phi is the ReLU, |.| the spectral norm, and
   lambda_n the largest eigenvalue of X^T X; the n samples are unit vectors of R^d.

   Read for all weights W(0) and W(t) that are so close. This is the algebraic core, and all that
   the proof uses: that W(t) lies on the gradient flow that starts at W(0) is not formalised. On the
   page the flow itself makes such a move, which the Python check follows numerically. The core
   is also that of Lemma 5.5: both proofs take |phi(X^T W)| <= |X^T W| for the spectral norm.

   "At most c" is said of a norm without naming its value: |B| <= c if |B u| <= c |u| for all u. A
   larger bound of |W(0)| or of X^T X makes the statement weaker, and the true values are allowed.
   The instance has X = I, two neurons and a move of Frobenius norm sqrt 3 / 10 by which the
   features grow by a tenth. *)
From Coq Require Import Reals ZArith List Lra Lia.
From Proofs.common Require Import sums.
Import ListNotations.
Open Scope R_scope.

Definition matrix := nat -> nat -> R.
Definition relu (z : R) : R := Rmax 0 z.

(* B is n x m *)
Definition spectral_at_most (n m : nat) (B : matrix) (c : R) : Prop :=
  forall u : nat -> R,
    sum n (fun i => sum m (fun r => B i r * u r) ^ 2) <= c ^ 2 * sum m (fun r => u r ^ 2).
Definition frobenius (n m : nat) (B : matrix) : R :=
  sqrt (sum n (fun i => sum m (fun r => B i r ^ 2))).

(* phi(X^T W), n x m, with the samples and the neurons as columns of X and W *)
Definition features (d : nat) (X W : matrix) : matrix :=
  fun i r => relu (sum d (fun a => X a i * W a r)).
Definition H (d m : nat) (X W : matrix) : matrix :=
  fun i j => sum m (fun r => features d X W i r * features d X W j r) / INR m.

Definition printed : Prop :=
  forall (n d m : nat) (X W_0 W_t : matrix) (lambda_n norm_W R_w : R),
    (1 <= n)%nat -> (1 <= d)%nat -> (1 <= m)%nat ->
    (forall i, (i < n)%nat -> sum d (fun a => X a i ^ 2) = 1) ->
    0 <= lambda_n -> spectral_at_most n n (fun i j => sum d (fun a => X a i * X a j)) lambda_n ->
    0 <= norm_W -> spectral_at_most d m W_0 norm_W ->
    0 <= R_w -> frobenius d m (fun a r => W_t a r - W_0 a r) <= R_w ->
    spectral_at_most n n (fun i j => H d m X W_t i j - H d m X W_0 i j)
      (lambda_n / INR m * (2 * norm_W + R_w) * R_w).

(* instance: lemma_5_2.json *)
Definition W : list (list Z) := [[1%Z; (-1)%Z]; [1%Z; 1%Z]].
Definition ten_times_the_move : list (list Z) := [[1%Z; 0%Z]; [1%Z; 1%Z]].
Definition direction : list Z := [5%Z; 8%Z].
(* end of instance *)

Definition entry (B : list (list Z)) : matrix := fun a r => IZR (nth r (nth a B []) 0%Z).
Definition identity : matrix := fun a i => if Nat.eqb a i then 1 else 0.
Definition moved : matrix := fun a r => entry W a r + entry ten_times_the_move a r / 10.

Theorem refuted : ~ printed.
Proof.
  intros F.
  specialize (F 2%nat 2%nat 2%nat identity (entry W) moved 1 (sqrt 2) (sqrt 3 / 10)
                ltac:(lia) ltac:(lia) ltac:(lia)).
  assert (S2 : sqrt 2 * sqrt 2 = 2) by (apply sqrt_sqrt; lra).
  assert (S3 : sqrt 3 * sqrt 3 = 3) by (apply sqrt_sqrt; lra).
  assert (P2 : 0 <= sqrt 2) by apply sqrt_pos. assert (P3 : 0 <= sqrt 3) by apply sqrt_pos.
  assert (Unit : forall i, (i < 2)%nat -> sum 2 (fun a => identity a i ^ 2) = 1).
  { intros i Hi. destruct i as [|[|i]]; [unfold identity; simpl; ring..|lia]. }
  specialize (F Unit ltac:(lra)).
  assert (Gram : spectral_at_most 2 2 (fun i j => sum 2 (fun a => identity a i * identity a j)) 1).
  { intros u. unfold identity. simpl. lra. }
  specialize (F Gram P2).
  assert (Norm : spectral_at_most 2 2 (entry W) (sqrt 2)).
  { intros u. unfold entry, W. simpl. nra. }
  specialize (F Norm ltac:(lra)).
  assert (Move : frobenius 2 2 (fun a r => moved a r - entry W a r) <= sqrt 3 / 10).
  { unfold frobenius, moved, entry, W, ten_times_the_move. simpl.
    match goal with |- sqrt ?x <= _ => replace x with (sqrt 3 / 10 * (sqrt 3 / 10)) by nra end.
    rewrite sqrt_square; lra. }
  specialize (F Move (fun i => IZR (nth i direction 0%Z))). revert F.
  assert (Grown : forall i j, (i < 2)%nat -> (j < 2)%nat ->
            H 2 2 identity moved i j - H 2 2 identity (entry W) i j
            = 21 / 200 * (if (i + j =? 2)%nat then 2 else 1)).
  { intros i j Hi Hj.
    assert (relu1 : forall z, 0 <= z -> relu z = z) by (intros; apply Rmax_right; assumption).
    assert (relu0 : forall z, z <= 0 -> relu z = 0) by (intros; apply Rmax_left; assumption).
    destruct i as [|[|i]]; [| |lia]; (destruct j as [|[|j]]; [| |lia]);
      unfold H, features, moved, entry, identity, W, ten_times_the_move; simpl;
      rewrite ?(relu0 (0 + 1 * (-1 + 0 / 10) + 0 * (1 + 1 / 10))),
        ?(relu0 (0 + 1 * -1 + 0 * 1)) by lra;
      rewrite ?relu1 by lra; field. }
  cbn [sum]. rewrite !Grown by lia. unfold direction. simpl.
  assert (sqrt 2 <= 1415 / 1000) by (apply Rsqr_incr_0_var; unfold Rsqr; lra).
  assert (sqrt 3 <= 1733 / 1000) by (apply Rsqr_incr_0_var; unfold Rsqr; lra).
  assert (0 <= 1 / (1 + 1) * (2 * sqrt 2 + sqrt 3 / 10) * (sqrt 3 / 10) <= 2603 / 10000) by nra.
  intros Q. nra.
Qed.
