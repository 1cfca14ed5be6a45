(* claim: gradient_features-lemma-b-77
   digest: b44a84800b05e8ca

   Thesis, Lemma B.77: if h(n+2) = 2 h(n+1) - (1 - rho^2) h(n) + beta for n in N_+ (that is
   n >= 1), where rho, beta > 0, then h(n) = -beta/rho^2 + c1 (1 - rho)^n + c2 (1 + rho)^n, where
   c1, c2 only depend on h(1) and h(2).

   Read literally, for all n >= 1. The instance is rho = beta = 1, where (1 - rho)^n = 0 for every
   n >= 1 and one constant is lost. The values h(1) = 1, h(2) = 0 then do not fit any c2. *)
From Coq Require Import Reals ZArith Lra Lia.
Open Scope R_scope.

Definition recurrence (rho beta : R) (h : nat -> R) : Prop :=
  forall n, (1 <= n)%nat -> h (n + 2)%nat = 2 * h (n + 1)%nat - (1 - rho ^ 2) * h n + beta.

Definition printed : Prop :=
  forall (rho beta : R) (h : nat -> R),
    0 < rho -> 0 < beta -> recurrence rho beta h ->
    exists c1 c2, forall n, (1 <= n)%nat ->
      h n = - beta / rho ^ 2 + c1 * (1 - rho) ^ n + c2 * (1 + rho) ^ n.

(* instance: lemma_b_77.json *)
Definition first : Z := 1%Z.
Definition second : Z := 0%Z.
Definition rho : Z := 1%Z.
Definition beta : Z := 1%Z.
(* end of instance *)

(* The sequence with these two values: h(n) = -1 + 2^(n-1) from n = 2 on, for rho = beta = 1. *)
Fixpoint from_two (n : nat) : R := (* h(n + 2) *)
  match n with
  | O => IZR second
  | S m => 2 * from_two m + IZR beta
  end.

Definition h (n : nat) : R :=
  match n with
  | O => 0 (* the lemma does not speak of h(0) *)
  | S O => IZR first
  | S (S m) => from_two m
  end.

Lemma h_obeys : recurrence (IZR rho) (IZR beta) h.
Proof.
  intros n Hn. destruct n as [|n]; [lia|].
  replace (S n + 2)%nat with (S (S (S n))) by lia.
  replace (S n + 1)%nat with (S (S n)) by lia.
  cbn [h from_two]. unfold rho. ring.
Qed.

Theorem refuted : ~ printed.
Proof.
  intros H.
  destruct (H (IZR rho) (IZR beta) h) as [c1 [c2 Hc]]; try (unfold rho, beta; lra).
  - exact h_obeys.
  - pose proof (Hc 1%nat (le_n _)) as H1. pose proof (Hc 2%nat ltac:(lia)) as H2.
    cbn in H1, H2. unfold first, second, rho, beta in *. lra.
Qed.
