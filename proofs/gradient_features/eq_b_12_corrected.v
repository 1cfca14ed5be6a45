(* claim: gradient_features-eq-b-12-corrected
   digest: cb8c9fec869f5999

   (B.12) with the average over t = 2, ..., T + 1 and any a_opt: for every convex and L-smooth function f
   of n variables with gradient g, and eta <= 1/L,
     (1/T) sum_{t=2}^{T+1} f(a(t)) - f(a_opt) <= |a(1) - a_opt|^2 / (2 T eta).
   Convexity and smoothness are the two usual inequalities between f and its tangents. *)
From Coq Require Import Reals Lra Lia.
From Proofs.common Require Import sums.
Open Scope R_scope.

Definition dot (n : nat) (a b : nat -> R) : R := sum n (fun i => a i * b i).
Definition minus (a b : nat -> R) (i : nat) : R := a i - b i.
Definition square (n : nat) (a : nat -> R) : R := dot n a a.

Definition convex (n : nat) (f : (nat -> R) -> R) (g : (nat -> R) -> nat -> R) : Prop :=
  forall u v, f u + dot n (g u) (minus v u) <= f v.
Definition smooth (n : nat) (L : R) (f : (nat -> R) -> R) (g : (nat -> R) -> nat -> R) : Prop :=
  forall u v, f v <= f u + dot n (g u) (minus v u) + L / 2 * square n (minus v u).

(* descent t is a(t + 1) *)
Fixpoint descent (g : (nat -> R) -> nat -> R) (eta : R) (start : nat -> R) (t : nat) : nat -> R :=
  match t with
  | O => start
  | S s => fun i => descent g eta start s i - eta * g (descent g eta start s) i
  end.

Definition statement : Prop :=
  forall (n : nat) (f : (nat -> R) -> R) (g : (nat -> R) -> nat -> R) (L eta : R)
         (start star : nat -> R) (T : nat),
    convex n f g -> smooth n L f g -> 0 < L -> 0 < eta <= 1 / L -> (1 <= T)%nat ->
    sum T (fun t => f (descent g eta start (S t))) / INR T - f star
      <= square n (minus start star) / (2 * INR T * eta).

Lemma square_nonneg n a : 0 <= square n a.
Proof. apply sum_nonneg. intros i _. nra. Qed.

(* One step from a with the gradient d: how the distance to star changes. *)
Lemma one_step n eta (a d star : nat -> R) :
  square n (minus (fun i => a i - eta * d i) star)
  = square n (minus a star) - 2 * eta * dot n d (minus a star) + eta ^ 2 * square n d.
Proof.
  unfold square, dot, minus. rewrite <- !sum_scal, <- sum_minus, <- sum_plus.
  apply sum_ext. intros; ring.
Qed.

Lemma along n eta (a d : nat -> R) :
  dot n d (minus (fun i => a i - eta * d i) a) = - eta * square n d /\
  square n (minus (fun i => a i - eta * d i) a) = eta ^ 2 * square n d.
Proof.
  unfold square, dot, minus. rewrite <- !sum_scal. split; apply sum_ext; intros; ring.
Qed.

Lemma dot_opposite n d a star : dot n d (minus star a) = - dot n d (minus a star).
Proof.
  unfold dot, minus. rewrite <- (Rmult_1_l (sum n _)) at 1.
  replace (- sum n (fun i => d i * (a i - star i))) with (-1 * sum n (fun i => d i * (a i - star i)))
    by ring.
  rewrite <- !sum_scal. apply sum_ext. intros; ring.
Qed.

(* 2 eta (f(a(t+1)) - f(star)) <= |a(t) - star|^2 - |a(t+1) - star|^2 *)
Lemma progress n f g L eta start star t :
  convex n f g -> smooth n L f g -> 0 < L -> 0 < eta <= 1 / L ->
  2 * eta * (f (descent g eta start (S t)) - f star)
  <= square n (minus (descent g eta start t) star)
     - square n (minus (descent g eta start (S t)) star).
Proof.
  intros Hc Hs HL [He Hle]. cbn [descent]. set (a := descent g eta start t). set (d := g a).
  rewrite one_step.
  pose proof (Hc a star) as C. fold d in C. rewrite dot_opposite in C.
  pose proof (Hs a (fun i => a i - eta * d i)) as S. fold d in S.
  destruct (along n eta a d) as [A1 A2]. rewrite A1, A2 in S.
  pose proof (square_nonneg n d) as P.
  assert (EL : L * eta <= 1).
  { apply (Rmult_le_reg_r (/ L)); [apply Rinv_0_lt_compat; assumption|].
    replace (L * eta * / L) with eta by (field; lra). lra. }
  assert (Q : L / 2 * (eta ^ 2 * square n d) <= eta / 2 * square n d).
  { replace (L / 2 * (eta ^ 2 * square n d)) with ((L * eta) * (eta / 2 * square n d)) by field.
    rewrite <- (Rmult_1_l (eta / 2 * square n d)) at 2. apply Rmult_le_compat_r; [|assumption].
    apply Rmult_le_pos; lra. }
  assert (F : f (fun i => a i - eta * d i) - f star <= dot n d (minus a star) - eta / 2 * square n d)
    by lra.
  apply (Rmult_le_compat_l (2 * eta)) in F; [|lra].
  eapply Rle_trans; [exact F|]. right. field.
Qed.

Theorem proved : statement.
Proof.
  intros n f g L eta start star T Hc Hs HL He HT.
  assert (P : 2 * eta * (sum T (fun t => f (descent g eta start (S t))) - INR T * f star)
    <= square n (minus start star) - square n (minus (descent g eta start T) star)).
  { clear HT. induction T as [|T IH]; [cbn; lra|]. rewrite S_INR. cbn [sum].
    pose proof (progress n f g L eta start star T Hc Hs HL He). lra. }
  pose proof (square_nonneg n (minus (descent g eta start T) star)).
  assert (HN : 0 < INR T) by (apply lt_0_INR; lia).
  apply (Rmult_le_reg_r (2 * INR T * eta)); [nra|].
  replace ((sum T (fun t => f (descent g eta start (S t))) / INR T - f star) * (2 * INR T * eta))
    with (2 * eta * (sum T (fun t => f (descent g eta start (S t))) - INR T * f star))
    by (field; lra).
  replace (square n (minus start star) / (2 * INR T * eta) * (2 * INR T * eta))
    with (square n (minus start star)) by (field; lra).
  lra.
Qed.
