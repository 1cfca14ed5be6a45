(* claim: cone_sets-theorem-1
   digest: ba70c6acbc7a5119

   Theorem 1 (Section 3.1, proved in Appendix E): "Assume that |S^0(k)| >= 1 for all k in [d]. For
   all t in [T] and all k in [d], we have S^t(k) contained in S^{t+1}(k)", where S^t(k) is the cone
   set of the feature v_k (Definition 3.1) and the kernels move by gradient descent on the
   reconstruction error R_N of the autoencoder of Section 2.2, under the constraints of Appendix D.

   Read as follows. Features are the unit vectors e_k of R^d, which is a case of "orthonormal".
   Indices start at 0, iterations as printed: eta_0 = 0, so the kernels at t = 1 are those at t = 0,
   and a kernel must be in both S^0 and S^1 (at t = 0 the thresholds of Definition 3.1 vanish).
   The gradient is that of Proposition 3.1, (10); if several patches excite a kernel equally, the
   first wins. The theorem is stated for random images and kernels. Here images and initial kernels
   are given, with what holds surely or is said to hold: every patch contains one feature, those of
   an image differ (as in the proof of Lemma 3.2), v_1 and v_2 are in every image, each feature is
   in exactly beta_k N images (as in the proof, before (E.39)), noise has a norm of at most epsilon,
   and no kernel is longer than (12) allows up to the iteration t in question (which is all of [T]
   for T = t). "f_r = f_h o(t)" is read as "the cone would get sharper": f_r / f_h never grows, and
   tends to 0. Each of them weakens the statement and so makes the refutation harder.

   The instance has no noise, and one kernel on each feature, 9/10 of the longest that is
   allowed; the first kernel leaves its cone in the first step. The inequalities on kernels and
   noise are strict there, and the step of this kernel depends continuously on both, so that all
   kernels and noise nearby refute it as well; this is not formalised.
   The Python check draws its ten images from the law of the paper, where no count is exactly
   beta_k N, and its f_r is constant, 39/100 f_h; here are nine images that have these counts, a
   test runs the check's code on them, and f_r is that up to t = 1 and falls like 1/(t + 1). *)
From Coq Require Import Reals ZArith QArith Qreals List Bool FunctionalExtensionality Lra Lia.
From Proofs.common Require Import sums.
Import ListNotations.
Open Scope R_scope.

Definition vector := nat -> R.
Definition inner (d : nat) (x y : vector) : R := sum d (fun a => x a * y a).
Definition norm (d : nat) (x : vector) : R := sqrt (inner d x x).
Definition feature (k : nat) : vector := fun a => if Nat.eqb a k then 1 else 0.

(* The smoothed ReLU (2) and its derivative. *)
Definition sigma (c0 u : R) : R :=
  if Rle_dec u 0 then 0 else if Rle_dec u c0 then u ^ 2 / (2 * c0) else u.
Definition sigma' (c0 u : R) : R :=
  if Rle_dec u 0 then 0 else if Rle_dec u c0 then u / c0 else 1.

(* The first of the indices below P at which f is largest. *)
Fixpoint argmax (P : nat) (f : nat -> R) : nat :=
  match P with
  | O => O
  | S m => if Rlt_dec (f (argmax m f)) (f m) then m else argmax m f
  end.

Section Autoencoder.
  (* dimension, patches, images, kernels, threshold; x n i is patch i of image n *)
  Variables (d P N C : nat) (c0 : R) (x : nat -> nat -> vector).

  (* sigma(<w_j, x_{n,i}>) *)
  Definition code (w : nat -> vector) (n i j : nat) : R := sigma c0 (inner d (w j) (x n i)).

  (* delta_n(i, j), (4) *)
  Definition wins (w : nat -> vector) (n i j : nat) : R :=
    if Nat.eqb i (argmax P (fun i' => code w n i' j)) then 1 else 0.

  (* Delta_{n,i} = x_{n,i} - sum_j sigma(<w_j, x_{n,i}>) delta_n(i, j) w_j, (9) with (5) *)
  Definition residual (w : nat -> vector) (n i : nat) : vector :=
    fun a => x n i a - sum C (fun j => code w n i j * wins w n i j * w j a).

  (* The gradient of R_N in kernel j, (10). *)
  Definition gradient (w : nat -> vector) (j : nat) : vector := fun a =>
    - (2 / INR N) * sum N (fun n => sum P (fun i =>
        wins w n i j *
        (code w n i j * residual w n i a
         + inner d (residual w n i) (w j) * sigma' c0 (inner d (w j) (x n i)) * x n i a))).

  (* Gradient descent, (8), with eta_t = 0.2/t and eta_0 = 0. *)
  Definition rate (t : nat) : R := match t with O => 0 | _ => 2 / 10 / INR t end.
  Fixpoint kernels (start : nat -> vector) (t : nat) : nat -> vector :=
    match t with
    | O => start
    | S s => fun j a => kernels start s j a - rate s * gradient (kernels start s) j a
    end.
End Autoencoder.

(* How many of the images 0, ..., N - 1 have the feature k in one of their P patches. *)
Definition images_with (P N : nat) (feat : nat -> nat -> nat) (k : nat) : nat :=
  length (filter (fun n => existsb (fun i => Nat.eqb (feat n i) k) (seq 0 P)) (seq 0 N)).

(* Patch i of image n contains the feature feat n i and nothing else but noise. *)
Definition patches (feat : nat -> nat -> nat) (noise : nat -> nat -> vector) (n i : nat) : vector :=
  fun a => feature (feat n i) a + noise n i a.

(* Assumption 2.1 for N given images; beta k is the probability of feature k. *)
Record normal_data (d P N : nat) (epsilon : R) (beta : nat -> R) (feat : nat -> nat -> nat)
    (noise : nat -> nat -> vector) : Prop := {
  features_exist : forall n i, (n < N)%nat -> (i < P)%nat -> (feat n i < d)%nat;
  features_differ : forall n i i', (n < N)%nat -> (i < P)%nat -> (i' < P)%nat -> i <> i' ->
                    feat n i <> feat n i';
  little_noise : forall n i, (n < N)%nat -> (i < P)%nat -> norm d (noise n i) <= epsilon;
  counts : forall k, (k < d)%nat -> INR (images_with P N feat k) = INR N * beta k;
  normal_features : beta 0%nat = 1 /\ beta 1%nat = 1;
  auxiliary_features : forall k, (2 <= k < d)%nat -> 0 <= beta k < 1;
  P_features : sum d beta = INR P
}.

(* Definition 3.1: whether a kernel is in the cone of feature k at iteration t. *)
Definition in_cone (d : nat) (sigma0 c1 f_h : R) (f_r : nat -> R) (t k : nat) (w : vector) : Prop :=
  INR t * sigma0 * c1 * f_h <= inner d w (feature k) /\
  forall k', (k' < d)%nat -> k' <> k -> inner d w (feature k') <= INR t * sigma0 * f_r t.

(* Definition 3.1 and Appendix D.1, with C = c_2 d, so that (c_2 - 1) d is C - d. *)
Record constraints (d N C T : nat) (c0 c1 epsilon sigma0 f_h : R) (f_r beta : nat -> R) : Prop := {
  overparametrised : (d < C)%nat;
  positive : 0 < c0 /\ 0 < c1 < 1 /\ 0 < epsilon /\ 0 < sigma0 /\ 0 < f_h;
  small : sigma0 <= / INR d ^ 2 /\ epsilon <= / INR d ^ 2;
  never_wider : forall t, f_r (S t) <= f_r t;
  sharp_in_the_end : forall e, 0 < e ->
                     exists t0, forall t, (t0 <= t)%nat -> Rabs (f_r t / f_h) <= e;
  below_height : forall t, (t <= T)%nat -> f_r t <= c1 * f_h;
  D_1 : forall t, (t <= T)%nat -> f_r t < (c1 - 2 * sqrt (2 * epsilon)) * f_h;
  D_2 : c0 < c1 - sqrt (2 * epsilon);
  D_3 : forall t k, (1 <= t <= T)%nat -> (k < d)%nat ->
        5 * c1 / 2 <=
        INR N * beta k *
        (2 * (c1 - sqrt (2 * epsilon)) * (1 + sqrt (2 * epsilon))
         - (1 + sqrt (2 * epsilon)) * ((c1 - sqrt (2 * epsilon)) + (1 + sqrt (2 * epsilon)))
           * (INR t * sigma0 * f_h) ^ 2 * (INR C - INR d));
  D_6 : forall t k, (1 <= t <= T)%nat -> (k < d)%nat ->
        4 / 10 * INR N * beta k * sigma0 *
        (f_h * (6 * epsilon + sqrt (2 * epsilon)
                + sqrt (2 * epsilon) * (INR t * sigma0 * f_h) * (INR C - INR d))
         + f_r t * (INR t * sigma0 * f_h * (INR C - INR d) + sqrt (2 * epsilon)))
        <= (INR t + 1) * sigma0 * f_r (S t)
}.

Definition printed : Prop :=
  forall (d P N C T : nat) (c0 c1 epsilon sigma0 f_h : R) (f_r beta : nat -> R)
         (feat : nat -> nat -> nat) (noise : nat -> nat -> vector) (start : nat -> vector),
    normal_data d P N epsilon beta feat noise ->
    constraints d N C T c0 c1 epsilon sigma0 f_h f_r beta ->
    let w := kernels d P N C c0 (patches feat noise) start in
    (forall k, (k < d)%nat ->
       exists j, (j < C)%nat /\ in_cone d sigma0 c1 f_h f_r 0 k (w 0%nat j)
                              /\ in_cone d sigma0 c1 f_h f_r 1 k (w 1%nat j)) ->
    forall t, (1 <= t <= T)%nat ->
      (forall s j, (1 <= s <= t)%nat -> (j < C)%nat -> norm d (w s j) <= INR s * sigma0 * f_h) ->
      forall k j, (k < d)%nat -> (j < C)%nat ->
        in_cone d sigma0 c1 f_h f_r t k (w t j) -> in_cone d sigma0 c1 f_h f_r (S t) k (w (S t) j).

(* instance: theorem_1.json *)
Definition d : Z := 20%Z.
Definition P : Z := 10%Z.
Definition N : Z := 9%Z.
Definition C : Z := 24%Z.
Definition T : Z := 100%Z.
Definition c0 : Q := ((1) # 100)%Q.
Definition c1 : Q := ((1) # 2)%Q.
Definition epsilon : Q := ((1) # 800)%Q.
Definition sigma0 : Q := ((1) # 10000)%Q.
Definition f_h : Q := ((27) # 5)%Q.
Definition radius : Q := ((39) # 100)%Q.
Definition planted : Q := ((9) # 10)%Q.
Definition images : list (list Z) := [[0%Z; 1%Z; 2%Z; 3%Z; 4%Z; 5%Z; 6%Z; 7%Z; 8%Z; 9%Z]; [0%Z; 1%Z; 10%Z; 11%Z; 12%Z; 13%Z; 14%Z; 15%Z; 16%Z; 17%Z]; [0%Z; 1%Z; 18%Z; 19%Z; 2%Z; 3%Z; 4%Z; 5%Z; 6%Z; 7%Z]; [0%Z; 1%Z; 8%Z; 9%Z; 10%Z; 11%Z; 12%Z; 13%Z; 14%Z; 15%Z]; [0%Z; 1%Z; 16%Z; 17%Z; 18%Z; 19%Z; 2%Z; 3%Z; 4%Z; 5%Z]; [0%Z; 1%Z; 6%Z; 7%Z; 8%Z; 9%Z; 10%Z; 11%Z; 12%Z; 13%Z]; [0%Z; 1%Z; 14%Z; 15%Z; 16%Z; 17%Z; 18%Z; 19%Z; 2%Z; 3%Z]; [0%Z; 1%Z; 4%Z; 5%Z; 6%Z; 7%Z; 8%Z; 9%Z; 10%Z; 11%Z]; [0%Z; 1%Z; 12%Z; 13%Z; 14%Z; 15%Z; 16%Z; 17%Z; 18%Z; 19%Z]].
(* end of instance *)

Definition feat (n i : nat) : nat := Z.to_nat (nth i (nth n images []) 0%Z).
Definition beta (k : nat) : R := if Nat.ltb k 2 then 1 else 4 / 9.
Definition size : R := Q2R planted * (Q2R sigma0 * Q2R f_h).

(* Kernel j < 20 is the feature j times 0.000486; the others are 0. *)
Definition start (j : nat) : vector := fun a => if Nat.ltb j 20 then size * feature j a else 0.
Definition f_r (t : nat) : R := Q2R radius * Q2R f_h * (2 / (INR (Nat.max 1 t) + 1)).
Definition no_noise (n i : nat) : vector := fun _ => 0.

Ltac numbers := unfold size, f_r, planted, sigma0, f_h, radius, epsilon, c0, c1, Q2R in *;
  cbn [Qnum Qden] in *.

Lemma size_value : size = 486 / 1000000.
Proof. numbers. lra. Qed.

Lemma inner_feature d x k : (k < d)%nat -> inner d x (feature k) = x k.
Proof.
  intros H. unfold inner. rewrite (sum_single d k); [unfold feature|assumption|].
  - rewrite Nat.eqb_refl. ring.
  - intros p _ Hp. unfold feature. destruct (Nat.eqb_spec p k); [contradiction|ring].
Qed.

Lemma root : sqrt (2 * Q2R epsilon) = 1 / 20.
Proof.
  numbers. replace (2 * (1 * / 800)) with (1 / 20 * (1 / 20)) by lra. apply sqrt_square. lra.
Qed.

(* What holds for all numbers below n is decided by trying them. *)
Lemma below n f : forallb f (seq 0 n) = true -> forall i, (i < n)%nat -> f i = true.
Proof. rewrite forallb_forall. intros H i Hi. apply H, in_seq. lia. Qed.

Lemma data_are_normal :
  normal_data 20 10 9 (Q2R epsilon) beta feat no_noise.
Proof.
  constructor.
  - intros n i Hn Hi. apply Nat.ltb_lt.
    apply (below 10 (fun i => Nat.ltb (feat n i) 20)); [|assumption].
    apply (below 9 (fun n => forallb (fun i => Nat.ltb (feat n i) 20) (seq 0 10))); [|assumption].
    vm_compute. reflexivity.
  - intros n i i' Hn Hi Hi' Hne E.
    assert (B : (Nat.eqb i i' || negb (Nat.eqb (feat n i) (feat n i')))%bool = true).
    { apply (below 10 (fun i' => Nat.eqb i i' || negb (Nat.eqb (feat n i) (feat n i')))%bool);
        [|assumption].
      apply (below 10 (fun i => forallb (fun i' =>
        Nat.eqb i i' || negb (Nat.eqb (feat n i) (feat n i')))%bool (seq 0 10))); [|assumption].
      apply (below 9 (fun n => forallb (fun i => forallb (fun i' =>
        Nat.eqb i i' || negb (Nat.eqb (feat n i) (feat n i')))%bool (seq 0 10)) (seq 0 10)));
        [|assumption].
      vm_compute. reflexivity. }
    rewrite E, Nat.eqb_refl in B. destruct (Nat.eqb_spec i i'); [contradiction|discriminate].
  - intros n i _ _. unfold norm, inner, no_noise. rewrite sum_zero by (intros; ring).
    rewrite sqrt_0. numbers. lra.
  - intros k Hk. unfold beta.
    assert (E : Nat.eqb (images_with 10 9 feat k) (if Nat.ltb k 2 then 9 else 4) = true).
    { apply (below 20 (fun k => Nat.eqb (images_with 10 9 feat k)
                                        (if Nat.ltb k 2 then 9 else 4))); [|assumption].
      vm_compute. reflexivity. }
    apply Nat.eqb_eq in E. rewrite E. destruct (Nat.ltb k 2); simpl; lra.
  - split; reflexivity.
  - intros k [Hk _]. unfold beta. destruct (Nat.ltb_spec k 2); [lia|lra].
  - unfold beta. simpl. lra.
Qed.

Lemma f_r_value t : f_r t = 4212 / 1000 * / (INR (Nat.max 1 t) + 1).
Proof. numbers. field. pose proof (pos_INR (Nat.max 1 t)). lra. Qed.

Lemma f_r_small t : f_r t <= 2106 / 1000.
Proof.
  rewrite f_r_value. assert (H : (1 <= Nat.max 1 t)%nat) by lia. apply le_INR in H.
  change (INR 1) with 1 in H.
  assert (/ (INR (Nat.max 1 t) + 1) <= / 2) by (apply Rinv_le_contravar; lra). lra.
Qed.

(* From t = 1 on. *)
Lemma f_r_bounds t : (1 <= t)%nat ->
  0 < f_r t <= 2106 / 1000 /\ 2808 / 1000 <= (INR t + 1) * f_r (S t).
Proof.
  intros H. rewrite !f_r_value, !Nat.max_r by lia. apply le_INR in H.
  change (INR 1) with 1 in H. rewrite S_INR.
  set (x := INR t) in *.
  assert (E : / (x + 1) * (x + 1) = 1) by (apply Rinv_l; lra).
  assert (F : / (x + 1 + 1) * (x + 1 + 1) = 1) by (apply Rinv_l; lra).
  assert (0 < / (x + 1)) by (apply Rinv_0_lt_compat; lra).
  assert (0 < / (x + 1 + 1)) by (apply Rinv_0_lt_compat; lra).
  set (y := / (x + 1)) in *. set (z := / (x + 1 + 1)) in *. clearbody x y z.
  split; [split; nra|]. replace ((x + 1) * (4212 / 1000 * z)) with (4212 / 1000 * (1 - z)) by nra.
  assert (z <= 1 / 3) by nra. lra.
Qed.

Lemma constraints_are_met :
  constraints 20 9 24 100 (Q2R c0) (Q2R c1) (Q2R epsilon) (Q2R sigma0) (Q2R f_h) f_r beta.
Proof.
  assert (T : forall t, (1 <= t <= 100)%nat -> 1 <= INR t <= 100).
  { intros t [H1 H2]. apply le_INR in H1, H2. change (INR 1) with 1 in H1.
    replace (INR 100) with 100 in H2 by (simpl; lra). lra. }
  assert (B : forall k, 4 / 9 <= beta k <= 1)
    by (intros k; unfold beta; destruct (Nat.ltb k 2); lra).
  assert (N9 : INR 9 = 9) by (simpl; lra).
  assert (CD : INR 24 - INR 20 = 4) by (simpl; lra).
  assert (D20 : INR 20 = 20) by (simpl; lra).
  constructor.
  - lia.
  - numbers. lra.
  - rewrite D20. numbers. lra.
  - intros t. rewrite !f_r_value. apply Rmult_le_compat_l; [lra|].
    pose proof (pos_INR (Nat.max 1 t)).
    assert (INR (Nat.max 1 t) <= INR (Nat.max 1 (S t))) by (apply le_INR; lia).
    apply Rinv_le_contravar; lra.
  - intros e He. destruct (archimed_cor1 e He) as (t0 & H & P0). exists t0. intros t Ht.
    rewrite f_r_value, Nat.max_r by lia. apply le_INR in Ht. apply lt_0_INR in P0.
    assert (I : 0 < / (INR t + 1) < / INR t0).
    { split; [apply Rinv_0_lt_compat; lra|]. apply Rinv_lt_contravar; [nra|lra]. }
    assert (F : Q2R f_h = 54 / 10) by (unfold f_h, Q2R; cbn [Qnum Qden]; lra). rewrite F.
    replace (4212 / 1000 * / (INR t + 1) / (54 / 10)) with (78 / 100 * / (INR t + 1))
      by (field; lra).
    rewrite Rabs_right; lra.
  - intros t _. pose proof (f_r_small t). unfold c1, f_h, Q2R. cbn [Qnum Qden]. lra.
  - intros t _. rewrite root. pose proof (f_r_small t).
    unfold c1, f_h, Q2R. cbn [Qnum Qden]. lra.
  - rewrite root. numbers. lra.
  - intros t k Ht _. rewrite root, CD, N9. apply T in Ht. specialize (B k). numbers.
    assert (S : 0 <= (INR t * (1 * / 10000) * (27 * / 5)) ^ 2 <= 1 / 100) by (split; nra).
    nra.
  - intros t k Ht _. rewrite root, CD, N9. pose proof (f_r_bounds t (proj1 Ht)) as [R1 R2].
    pose proof (f_r_value t) as R3. rewrite Nat.max_r in R3 by lia. apply T in Ht. specialize (B k).
    assert (R4 : (INR t + 1) * f_r t = 4212 / 1000) by (rewrite R3; field; lra).
    unfold epsilon, sigma0, f_h, Q2R. cbn [Qnum Qden].
    set (b := beta k) in *. set (x := INR t) in *. set (f := f_r t) in *.
    set (g := f_r (S t)) in *. clearbody b x f g.
    assert (U : 0 <= 27 * / 5 * (6 * (1 * / 800) + 1 / 20
                                 + 1 / 20 * (x * (1 * / 10000) * (27 * / 5)) * 4)
              <= 37 / 100) by lra.
    assert (V : 0 <= f * (x * (1 * / 10000) * (27 * / 5) * 4 + 1 / 20) <= 12 / 100) by (split; nra).
    set (u := 27 * / 5 * (6 * _ + _ + _)) in *. set (v := f * _) in *. clearbody u v.
    assert (b * (u + v) <= 1 * (49 / 100)) by (apply Rmult_le_compat; lra).
    nra.
Qed.

Lemma argmax_first n f :
  0 <= f 0%nat -> (forall i, (i < n)%nat -> i <> 0%nat -> f i = 0) -> argmax n f = 0%nat.
Proof.
  intros H0. induction n as [|n IH]; intros H; [reflexivity|]. simpl.
  rewrite IH by (intros; apply H; lia).
  destruct (Rlt_dec (f 0%nat) (f n)) as [L|]; [|reflexivity].
  destruct (PeanoNat.Nat.eq_dec n 0) as [->|E]; [lra|]. rewrite (H n) in L by lia. lra.
Qed.

Lemma patch n i : patches feat no_noise n i = feature (feat n i).
Proof. apply functional_extensionality. intros a. unfold patches, no_noise. ring. Qed.

Lemma first_feature n : (n < 9)%nat -> feat n 0 = 0%nat.
Proof.
  intros H. apply Nat.eqb_eq. apply (below 9 (fun n => Nat.eqb (feat n 0) 0)); [|assumption].
  vm_compute. reflexivity.
Qed.

Lemma other_features n i : (n < 9)%nat -> (i < 10)%nat -> i <> 0%nat -> feat n i <> 0%nat.
Proof.
  intros Hn Hi H E. rewrite <- (first_feature n Hn) in E. revert E.
  apply (features_differ _ _ _ _ _ _ _ data_are_normal); lia.
Qed.

Lemma seen n i j :
  (n < 9)%nat -> (i < 10)%nat ->
  inner 20 (start j) (patches feat no_noise n i) = start j (feat n i).
Proof.
  intros Hn Hi. rewrite patch. apply inner_feature.
  apply (features_exist _ _ _ _ _ _ _ data_are_normal); assumption.
Qed.

Lemma start_own : start 0 0%nat = size.
Proof. unfold start, feature. simpl. ring. Qed.

Lemma start_other j a : a <> j -> start j a = 0.
Proof.
  intros H. unfold start, feature. destruct (Nat.ltb j 20); [|reflexivity].
  destruct (Nat.eqb_spec a j); [contradiction|ring].
Qed.

Lemma sigma_zero : sigma (Q2R c0) 0 = 0.
Proof. unfold sigma. destruct Rle_dec; [reflexivity|lra]. Qed.
Lemma sigma'_zero : sigma' (Q2R c0) 0 = 0.
Proof. unfold sigma'. destruct Rle_dec; [reflexivity|lra]. Qed.

Definition s : R := size ^ 2 * 50.
Lemma sigma_size : sigma (Q2R c0) size = s.
Proof.
  unfold sigma, s. rewrite size_value. numbers. repeat destruct Rle_dec; lra.
Qed.
Lemma sigma'_size : sigma' (Q2R c0) size = size * 100.
Proof. unfold sigma'. rewrite size_value. numbers. repeat destruct Rle_dec; lra. Qed.

Notation X := (patches feat no_noise).

Lemma code_own n : (n < 9)%nat -> code 20 (Q2R c0) X start n 0 0 = s.
Proof.
  intros Hn. unfold code. rewrite seen, first_feature, start_own by lia. apply sigma_size.
Qed.

Lemma code_other n i :
  (n < 9)%nat -> (i < 10)%nat -> i <> 0%nat -> code 20 (Q2R c0) X start n i 0 = 0.
Proof.
  intros Hn Hi H. unfold code. rewrite seen, start_other by auto using other_features.
  apply sigma_zero.
Qed.

Lemma first_kernel_wins n : (n < 9)%nat -> wins 20 10 (Q2R c0) X start n 0 0 = 1.
Proof.
  intros Hn. unfold wins. rewrite argmax_first; [reflexivity| |].
  - rewrite code_own by assumption. unfold s. nra.
  - intros i Hi H. apply code_other; assumption.
Qed.

Lemma residual_own n :
  (n < 9)%nat -> residual 20 10 24 (Q2R c0) X start n 0 0%nat = 1 - s * size.
Proof.
  intros Hn. unfold residual. rewrite patch, first_feature by assumption.
  rewrite (sum_single 24 0); [|lia|].
  - rewrite code_own, first_kernel_wins, start_own by assumption.
    unfold feature. simpl. ring.
  - intros j _ Hj. rewrite (start_other j 0) by auto. apply Rmult_0_r.
Qed.

Lemma gradient_own :
  gradient 20 10 9 24 (Q2R c0) X start 0 0%nat
  = - (2 * ((1 - s * size) * (s + size ^ 2 * 100))).
Proof.
  unfold gradient.
  rewrite (sum_ext 9 _ (fun _ => (1 - s * size) * (s + size ^ 2 * 100))).
  - simpl. field.
  - intros n Hn. rewrite (sum_single 10 0); [|lia|].
    + rewrite first_kernel_wins, code_own, residual_own, seen, first_feature, start_own,
        sigma'_size, patch, first_feature by lia.
      unfold inner. rewrite (sum_single 20 0); [|lia|].
      * rewrite residual_own, start_own by assumption. unfold feature. simpl. ring.
      * intros a _ Ha. rewrite start_other by assumption. ring.
    + intros i Hi H. rewrite code_other, seen, start_other by auto using other_features.
      rewrite sigma'_zero. ring.
Qed.

Notation w := (kernels 20 10 9 24 (Q2R c0) X start).

Lemma first_iteration : w 1%nat = start.
Proof.
  apply functional_extensionality. intros j. apply functional_extensionality. intros a.
  cbn [kernels rate]. rewrite Rmult_0_l, Rminus_0_r. reflexivity.
Qed.

Lemma start_in_its_cone k :
  (k < 20)%nat -> in_cone 20 (Q2R sigma0) (Q2R c1) (Q2R f_h) f_r 1 k (start k).
Proof.
  intros Hk. unfold in_cone. split.
  - rewrite inner_feature by assumption. unfold start, feature.
    destruct (Nat.ltb_spec k 20); [|lia]. rewrite Nat.eqb_refl. change (INR 1) with 1. numbers. lra.
  - intros k' Hk' H. rewrite inner_feature, start_other by assumption. change (INR 1) with 1.
    pose proof (f_r_bounds 1 (le_n 1)) as [R1 _]. unfold sigma0, Q2R. cbn [Qnum Qden]. lra.
Qed.

Lemma start_in_the_first_cone k :
  (k < 20)%nat -> in_cone 20 (Q2R sigma0) (Q2R c1) (Q2R f_h) f_r 0 k (start k).
Proof.
  intros Hk. unfold in_cone. change (INR 0) with 0. split.
  - rewrite inner_feature by assumption. unfold start, feature.
    destruct (Nat.ltb_spec k 20); [|lia]. rewrite Nat.eqb_refl, size_value. lra.
  - intros k' Hk' H. rewrite inner_feature, start_other by assumption. lra.
Qed.

Lemma start_is_short j : norm 20 (start j) <= Q2R sigma0 * Q2R f_h.
Proof.
  assert (P0 : 0 <= Q2R sigma0 * Q2R f_h) by (numbers; lra).
  assert (S : 0 <= size <= Q2R sigma0 * Q2R f_h) by (numbers; lra).
  unfold norm. destruct (Nat.ltb_spec j 20) as [H|H].
  - unfold inner. rewrite (sum_single 20 j); [|assumption|].
    + unfold start, feature. destruct (Nat.ltb_spec j 20); [|lia]. rewrite Nat.eqb_refl.
      rewrite Rmult_1_r, sqrt_square; apply S.
    + intros a _ Ha. rewrite start_other by assumption. ring.
  - unfold inner. rewrite sum_zero; [rewrite sqrt_0; assumption|].
    intros a _. unfold start. destruct (Nat.ltb_spec j 20); [lia|ring].
Qed.

Theorem refuted : ~ printed.
Proof.
  intros H.
  specialize (H 20 10 9 24 100 (Q2R c0) (Q2R c1) (Q2R epsilon) (Q2R sigma0) (Q2R f_h) f_r
                beta feat no_noise start data_are_normal constraints_are_met)%nat.
  cbv zeta in H. rewrite first_iteration in H.
  assert (E : forall k, (k < 20)%nat -> exists j, (j < 24)%nat /\
                in_cone 20 (Q2R sigma0) (Q2R c1) (Q2R f_h) f_r 0 k (start j) /\
                in_cone 20 (Q2R sigma0) (Q2R c1) (Q2R f_h) f_r 1 k (start j)).
  { intros k Hk. exists k. split; [lia|].
    split; [apply start_in_the_first_cone|apply start_in_its_cone]; assumption. }
  specialize (H E 1%nat ltac:(lia)).
  assert (B : forall t j, (1 <= t <= 1)%nat -> (j < 24)%nat ->
                norm 20 (w t j) <= INR t * Q2R sigma0 * Q2R f_h).
  { intros t j Ht _. replace t with 1%nat by lia. rewrite first_iteration.
    change (INR 1) with 1. rewrite Rmult_1_l. apply start_is_short. }
  specialize (H B 0 0 ltac:(lia) ltac:(lia))%nat. rewrite first_iteration in H.
  destruct (H (start_in_its_cone 0 ltac:(lia))) as [L _].
  change (w 2%nat) with
    (fun j a => w 1%nat j a - rate 1 * gradient 20 10 9 24 (Q2R c0) X (w 1%nat) j a) in L.
  rewrite first_iteration, inner_feature, gradient_own, start_own in L by lia.
  unfold rate, s in L. rewrite size_value in L. simpl INR in L. numbers. lra.
Qed.
