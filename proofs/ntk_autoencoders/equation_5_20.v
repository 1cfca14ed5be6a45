(* claim: ntk_autoencoders-equation-5-20
   digest: d0b4ffbac902596e

   Section 5.2, proof of Theorem 5.2: "we want to choose eta and R_w such that"
     1 - eta lambda_0/d + 8 eta lambda_n/d + 16 eta^2 sqrt(n lambda_n)/d
       + 8 eta^2 sqrt(n lambda_n^2)/d |X - U(0)|_F + 64 eta^2 lambda_n^2/(m d)
     <= 1 - eta lambda_0/(2 d)                                                          (5.20).
   Here the n samples, the columns of X, are unit vectors of R^d; lambda_n is the largest eigenvalue
   of X^T X, and lambda_0 > 0 the smallest of E[X~^T X~] (Assumption 2). For a Gaussian w the latter
   has the entries <x_i, x_j> Pr[w sees both] = <x_i, x_j> (pi - arccos <x_i, x_j>) / (2 pi).

   Read at the weakest: for some data, widths and eta > 0. The negation says that no data set has a
   step size: lambda_n >= 1 and lambda_0 <= 1/2, so 8 lambda_n exceeds lambda_0/2. Both follow from
   the diagonals, that is from the vector c = e_1. *)
From Coq Require Import Reals Lra Lia.
From Proofs.common Require Import sums.
Open Scope R_scope.

Definition inner (d : nat) (X : nat -> nat -> R) (i j : nat) : R := sum d (fun a => X a i * X a j).

(* E[X~^T X~]_ij *)
Definition kernel (d : nat) (X : nat -> nat -> R) (i j : nat) : R :=
  inner d X i j * (PI - acos (inner d X i j)) / (2 * PI).

Definition form (n : nat) (A : nat -> nat -> R) (c : nat -> R) : R :=
  sum n (fun i => sum n (fun j => c i * A i j * c j)).
Definition square (n : nat) (c : nat -> R) : R := sum n (fun i => Rsqr (c i)).

(* No eigenvalue of the symmetric matrix A is above b, or below b. *)
Definition all_below (n : nat) (A : nat -> nat -> R) (b : R) : Prop :=
  forall c, form n A c <= b * square n c.
Definition all_above (n : nat) (A : nat -> nat -> R) (b : R) : Prop :=
  forall c, b * square n c <= form n A c.

Definition contraction (n d m : nat) (lambda_0 lambda_n distance eta : R) : Prop :=
  1 - eta * lambda_0 / INR d + 8 * eta * lambda_n / INR d
    + 16 * eta ^ 2 * sqrt (INR n * lambda_n) / INR d
    + 8 * eta ^ 2 * sqrt (INR n * lambda_n ^ 2) / INR d * distance
    + 64 * eta ^ 2 * lambda_n ^ 2 / (INR m * INR d)
  <= 1 - eta * lambda_0 / (2 * INR d).

(* The eigenvalues themselves meet all_below and all_above; distance is |X - U(0)|_F. *)
Definition printed : Prop :=
  exists (n d m : nat) (X : nat -> nat -> R) (lambda_0 lambda_n distance eta : R),
    (1 <= n)%nat /\ (1 <= d)%nat /\ (1 <= m)%nat /\
    (forall i, (i < n)%nat -> inner d X i i = 1) /\
    0 < lambda_0 /\ all_above n (kernel d X) lambda_0 /\ all_below n (inner d X) lambda_n /\
    0 <= distance /\ 0 < eta /\
    contraction n d m lambda_0 lambda_n distance eta.

Definition first (i : nat) : R := if Nat.eqb i 0 then 1 else 0.

Lemma first_square n : (1 <= n)%nat -> square n first = 1.
Proof.
  intros Hn. unfold square. rewrite (sum_single n 0); [unfold first, Rsqr; simpl; ring|lia|].
  intros p _ Hp. unfold first. destruct (Nat.eqb_spec p 0); [contradiction|unfold Rsqr; ring].
Qed.

Lemma first_form n A : (1 <= n)%nat -> form n A first = A 0%nat 0%nat.
Proof.
  intros Hn. unfold form. rewrite (sum_single n 0); [|lia|].
  - rewrite (sum_single n 0); [unfold first; simpl; ring|lia|].
    intros p _ Hp. unfold first. destruct (Nat.eqb_spec p 0); [contradiction|ring].
  - intros p _ Hp. apply sum_zero. intros q _. unfold first.
    destruct (Nat.eqb_spec p 0); [contradiction|ring].
Qed.

Lemma diagonal_of_kernel d X i : inner d X i i = 1 -> kernel d X i i = 1 / 2.
Proof.
  intros H. unfold kernel. rewrite H, acos_1. pose proof PI_RGT_0. field. lra.
Qed.

Theorem refuted : ~ printed.
Proof.
  intros (n & d & m & X & l0 & ln & F & eta & Hn & Hd & Hm & HX & P0 & H0 & Hl & HF & He & C).
  specialize (H0 first). specialize (Hl first).
  rewrite first_square, first_form in H0, Hl by assumption.
  rewrite diagonal_of_kernel in H0 by (apply HX; lia). rewrite HX in Hl by lia.
  assert (D : 0 < INR d) by (apply lt_0_INR; lia).
  assert (M : 0 < INR m) by (apply lt_0_INR; lia).
  unfold contraction in C.
  pose proof (sqrt_pos (INR n * ln)) as S1. pose proof (sqrt_pos (INR n * ln ^ 2)) as S2.
  assert (A1 : 0 <= 16 * eta ^ 2 * sqrt (INR n * ln) / INR d)
    by (apply Rmult_le_pos; [|left; apply Rinv_0_lt_compat; assumption];
        apply Rmult_le_pos; [nra|assumption]).
  assert (A2 : 0 <= 8 * eta ^ 2 * sqrt (INR n * ln ^ 2) / INR d * F)
    by (apply Rmult_le_pos; [|assumption];
        apply Rmult_le_pos; [|left; apply Rinv_0_lt_compat; assumption];
        apply Rmult_le_pos; [nra|assumption]).
  assert (A3 : 0 <= 64 * eta ^ 2 * ln ^ 2 / (INR m * INR d)).
  { apply Rmult_le_pos; [|left; apply Rinv_0_lt_compat; nra].
    pose proof (pow2_ge_0 eta). pose proof (pow2_ge_0 ln). nra. }
  (* what is left: 8 eta lambda_n / d <= eta lambda_0 / (2 d) *)
  assert (K : 0 <= (l0 / 2 - 8 * ln) * (eta / INR d)).
  { replace ((l0 / 2 - 8 * ln) * (eta / INR d))
      with (eta * l0 / INR d - eta * l0 / (2 * INR d) - 8 * eta * ln / INR d) by (field; lra).
    lra. }
  assert (P : 0 < eta / INR d) by (apply Rdiv_lt_0_compat; assumption).
  nra.
Qed.
