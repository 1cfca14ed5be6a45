(* claim: ntk_autoencoders-lemma-5-2
   digest: 4bf1ccedc27c43c0

   Lemma 5.2: "Suppose |W(t) - W(0)|_F <= R_w. Then
     |H(t) - H(0)| <= (lambda_n / m) (2 |W(0)| + R_w) R_w",
   where H(t) = phi(X^T W(t)) phi(W(t)^T X) / m, phi is the ReLU, |.| the spectral norm, and
   lambda_n the largest eigenvalue of X^T X; the n samples are unit vectors of R^d. W(t) and A(t)
   follow the gradient flow (5.4) to (5.7) from random weights; those of A are 1 or -1.

   Read for the first instants of the flow, and for at least one start near each: "arbitrarily near
   to any W(0) there is a start from which a flow has the bound until some time T > 0". The lemma
   says more: whether surely or almost surely, its starts are dense, and it is for all t. It also
   takes for granted that there is a flow. So the negation says that around one start there is a
   ball such that no flow from it keeps to the bound. That there are flows from this ball is not
   formalised: all preactivations are near 1/2 or -1/2, so that the right-hand sides of (5.6) and
   (5.7) are polynomials in the weights there, and the theorem of Picard and Lindelof applies.
   Of a flow, printed asks only for derivatives from the right.

   The samples are orthonormal, which implies Assumptions 1 and 2 and weakens the statement.
   "At most c" is said of a norm without naming its value: |B| <= c if |B u| <= c |u| for all u. A
   larger bound of |W(0)| or of X^T X makes the statement weaker, and the true values are allowed.
   "Particularly, ..." on lambda_min(K(t)) is not formalised.

   The instance is that of the Python check of the flow, X = I, W(0) = M/2 and A(0) = M, with all
   W(0) whose entries are within 1/100000. There the weights move in the direction of
   ten_times_the_move, at a rate of about 1/4. *)
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

(* X^T W, n x m, with the samples and the neurons as columns of X and W *)
Definition preactivation (d : nat) (X W : matrix) : matrix :=
  fun i r => sum d (fun a => X a i * W a r).
Definition features (d : nat) (X W : matrix) : matrix :=
  fun i r => relu (preactivation d X W i r).
Definition H (d m : nat) (X W : matrix) : matrix :=
  fun i j => sum m (fun r => features d X W i r * features d X W j r) / INR m.

(* x_i - u_i, with u = A phi(W^T x) / sqrt(m d) *)
Definition residual (d m : nat) (X W A : matrix) : matrix := fun a i =>
  X a i - sum m (fun r => A a r * features d X W i r) / sqrt (INR m * INR d).

(* Less the gradients (5.4) and (5.5): coordinate a of the neuron w_r, and of a_r. *)
Definition force_W (n d m : nat) (X W A : matrix) : matrix := fun a r =>
  / sqrt (INR m * INR d) * sum n (fun i =>
    (if Rle_dec 0 (preactivation d X W i r) then 1 else 0) * X a i
    * sum d (fun b => A b r * residual d m X W A b i)).
Definition force_A (n d m : nat) (X W A : matrix) : matrix := fun a r =>
  / sqrt (INR m * INR d) * sum n (fun i => features d X W i r * residual d m X W A a i).

Definition right_derivative (f : R -> R) (s l : R) : Prop :=
  forall e, 0 < e -> exists h_0, 0 < h_0 /\
  forall h, 0 < h <= h_0 -> Rabs ((f (s + h) - f s) / h - l) <= e.

(* W and A follow (5.6) and (5.7) from W_0 and A_0 until T. *)
Definition flow (n d m : nat) (X W_0 A_0 : matrix) (T : R) (W A : R -> matrix) : Prop :=
  (forall a r, (a < d)%nat -> (r < m)%nat -> W 0 a r = W_0 a r /\ A 0 a r = A_0 a r) /\
  forall s a r, 0 <= s < T -> (a < d)%nat -> (r < m)%nat ->
    right_derivative (fun t => W t a r) s (force_W n d m X (W s) (A s) a r) /\
    right_derivative (fun t => A t a r) s (force_A n d m X (W s) (A s) a r).

Definition bound_holds (n d m : nat) (X W_0 W_t : matrix) : Prop :=
  forall lambda_n norm_W R_w : R,
    0 <= lambda_n -> spectral_at_most n n (fun i j => sum d (fun a => X a i * X a j)) lambda_n ->
    0 <= norm_W -> spectral_at_most d m W_0 norm_W ->
    0 <= R_w -> frobenius d m (fun a r => W_t a r - W_0 a r) <= R_w ->
    spectral_at_most n n (fun i j => H d m X W_t i j - H d m X W_0 i j)
      (lambda_n / INR m * (2 * norm_W + R_w) * R_w).

Definition near (d m : nat) (B C : matrix) (e : R) : Prop :=
  forall a r, (a < d)%nat -> (r < m)%nat -> Rabs (B a r - C a r) <= e.

Definition printed : Prop :=
  forall (n d m : nat) (X W_0 A_0 : matrix) (e : R),
    (1 <= n)%nat -> (1 <= d)%nat -> (1 <= m)%nat ->
    (forall i j, (i < n)%nat -> (j < n)%nat ->
       sum d (fun a => X a i * X a j) = if Nat.eqb i j then 1 else 0) ->
    (forall a r, (a < d)%nat -> (r < m)%nat -> A_0 a r = 1 \/ A_0 a r = -1) ->
    0 < e ->
    exists W_1 T W A, near d m W_1 W_0 e /\ 0 < T /\ flow n d m X W_1 A_0 T W A /\
      forall t, 0 <= t < T -> bound_holds n d m X W_1 (W t).

(* instance: lemma_5_2.json *)
Definition W : list (list Z) := [[1%Z; (-1)%Z]; [1%Z; 1%Z]].
Definition ten_times_the_move : list (list Z) := [[1%Z; 0%Z]; [1%Z; 1%Z]].
Definition direction : list Z := [5%Z; 8%Z].
(* end of instance *)

Definition entry (B : list (list Z)) : matrix := fun a r => IZR (nth r (nth a B []) 0%Z).
Definition identity : matrix := fun a i => if Nat.eqb a i then 1 else 0.
Definition middle : matrix := fun a r => entry W a r / 2.
Definition radius : R := 1 / 100000.

Lemma relu_of_positive z : 0 <= z -> relu z = z.
Proof. apply Rmax_right. Qed.
Lemma relu_of_negative z : z <= 0 -> relu z = 0.
Proof. apply Rmax_left. Qed.

Lemma Rabs_at_most x e : Rabs x <= e -> - e <= x <= e.
Proof. unfold Rabs. destruct Rcase_abs; lra. Qed.

Lemma preactivation_of B i r : (i < 2)%nat -> preactivation 2 identity B i r = B i r.
Proof.
  intros Hi. unfold preactivation, identity. destruct i as [|[|i]]; [simpl; ring..|lia].
Qed.

Lemma features_of B i r : (i < 2)%nat -> features 2 identity B i r = relu (B i r).
Proof. intros Hi. unfold features. rewrite preactivation_of by assumption. reflexivity. Qed.

Lemma root_4 : sqrt (INR 2 * INR 2) = 2.
Proof. rewrite sqrt_square; simpl; lra. Qed.

Lemma four_entries (Q : nat -> nat -> Prop) :
  Q 0%nat 0%nat -> Q 0%nat 1%nat -> Q 1%nat 0%nat -> Q 1%nat 1%nat ->
  forall a r, (a < 2)%nat -> (r < 2)%nat -> Q a r.
Proof.
  intros Q00 Q01 Q10 Q11 a r Ha Hr.
  destruct a as [|[|a]]; [| |lia]; (destruct r as [|[|r]]; [| |lia]); assumption.
Qed.

Section Start.
  Variable start : matrix.
  Hypothesis start_near : near 2 2 start middle radius.

  Lemma entries :
    1 / 2 - radius <= start 0%nat 0%nat <= 1 / 2 + radius /\
    - (1 / 2) - radius <= start 0%nat 1%nat <= - (1 / 2) + radius /\
    1 / 2 - radius <= start 1%nat 0%nat <= 1 / 2 + radius /\
    1 / 2 - radius <= start 1%nat 1%nat <= 1 / 2 + radius.
  Proof.
    assert (E := fun a r Ha Hr => Rabs_at_most _ _ (start_near a r Ha Hr)).
    unfold middle, entry, W in E.
    pose proof (E 0%nat 0%nat ltac:(lia) ltac:(lia)) as E1. simpl in E1.
    pose proof (E 0%nat 1%nat ltac:(lia) ltac:(lia)) as E2. simpl in E2.
    pose proof (E 1%nat 0%nat ltac:(lia) ltac:(lia)) as E3. simpl in E3.
    pose proof (E 1%nat 1%nat ltac:(lia) ltac:(lia)) as E4. simpl in E4. lra.
  Qed.

  (* At the start the weights move in the direction of the move, at a rate of about 1/4. *)
  Lemma first_force V B :
    (forall a r, (a < 2)%nat -> (r < 2)%nat -> V a r = start a r /\ B a r = entry W a r) ->
    forall a r, (a < 2)%nat -> (r < 2)%nat ->
      Rabs (force_W 2 2 2 identity V B a r - entry ten_times_the_move a r / 4) <= 1 / 2000.
  Proof.
    intros E. pose proof entries as S. unfold radius in S.
    assert (V00 := proj1 (E 0%nat 0%nat ltac:(lia) ltac:(lia))).
    assert (V01 := proj1 (E 0%nat 1%nat ltac:(lia) ltac:(lia))).
    assert (V10 := proj1 (E 1%nat 0%nat ltac:(lia) ltac:(lia))).
    assert (V11 := proj1 (E 1%nat 1%nat ltac:(lia) ltac:(lia))).
    assert (B00 := proj2 (E 0%nat 0%nat ltac:(lia) ltac:(lia))).
    assert (B01 := proj2 (E 0%nat 1%nat ltac:(lia) ltac:(lia))).
    assert (B10 := proj2 (E 1%nat 0%nat ltac:(lia) ltac:(lia))).
    assert (B11 := proj2 (E 1%nat 1%nat ltac:(lia) ltac:(lia))).
    unfold entry, W in B00, B01, B10, B11. simpl in B00, B01, B10, B11.
    apply four_entries; unfold force_W, residual; rewrite root_4; cbn [sum];
      rewrite ?features_of, ?preactivation_of by lia;
      rewrite ?V00, ?V01, ?V10, ?V11, ?B00, ?B01, ?B10, ?B11;
      rewrite ?(relu_of_negative (start 0%nat 1%nat)), ?(relu_of_positive (start 0%nat 0%nat)),
        ?(relu_of_positive (start 1%nat 0%nat)), ?(relu_of_positive (start 1%nat 1%nat)) by lra;
      repeat (destruct Rle_dec; try lra);
      unfold identity, entry, ten_times_the_move; simpl; apply Rabs_le; lra.
  Qed.

  Lemma start_norm : spectral_at_most 2 2 start (708 / 1000).
  Proof.
    intros u. pose proof entries as (S1 & S2 & S3 & S4). unfold radius in *. cbn [sum].
    set (x := u 0%nat). set (y := u 1%nat).
    set (p := start 0%nat 0%nat - 1 / 2). set (q := start 0%nat 1%nat + 1 / 2).
    set (s := start 1%nat 0%nat - 1 / 2). set (v := start 1%nat 1%nat - 1 / 2).
    replace (start 0%nat 0%nat) with (1 / 2 + p) by (unfold p; ring).
    replace (start 0%nat 1%nat) with (- (1 / 2) + q) by (unfold q; ring).
    replace (start 1%nat 0%nat) with (1 / 2 + s) by (unfold s; ring).
    replace (start 1%nat 1%nat) with (1 / 2 + v) by (unfold v; ring).
    assert (R2 : forall f g, - (1 / 100000) <= f <= 1 / 100000 ->
              - (1 / 100000) <= g <= 1 / 100000 ->
              (f * x + g * y) ^ 2 <= 2 / 10000000000 * (x ^ 2 + y ^ 2)).
    { intros f g Hf Hg.
      assert (f * f <= 1 / 10000000000) by nra. assert (g * g <= 1 / 10000000000) by nra.
      assert (0 <= x * x) by nra. assert (0 <= y * y) by nra.
      assert ((f * x + g * y) ^ 2 <= 2 * (f * f * (x * x) + g * g * (y * y))).
      { assert (0 <= (f * x - g * y) ^ 2) by apply pow2_ge_0. nra. }
      nra. }
    assert (Young : forall f g, (f + g) ^ 2 <= 1001 / 1000 * f ^ 2 + 1001 * g ^ 2).
    { intros f g. assert (0 <= (f / 1000 - g) ^ 2) by apply pow2_ge_0. nra. }
    assert (A1 := R2 p q ltac:(unfold p; lra) ltac:(unfold q; lra)).
    assert (A2 := R2 s v ltac:(unfold s; lra) ltac:(unfold v; lra)).
    assert (B1 := Young (x / 2 - y / 2) (p * x + q * y)).
    assert (B2 := Young (x / 2 + y / 2) (s * x + v * y)).
    replace (0 + (1 / 2 + p) * x + (- (1 / 2) + q) * y)
      with (x / 2 - y / 2 + (p * x + q * y)) by field.
    replace (0 + (1 / 2 + s) * x + (1 / 2 + v) * y)
      with (x / 2 + y / 2 + (s * x + v * y)) by field.
    assert (0 <= x ^ 2) by apply pow2_ge_0. assert (0 <= y ^ 2) by apply pow2_ge_0.
    assert ((x / 2 - y / 2) ^ 2 + (x / 2 + y / 2) ^ 2 = (x ^ 2 + y ^ 2) / 2) by field.
    lra.
  Qed.

  (* A small move by about h / 4 in that direction. *)
  Section Move.
    Variables (V : matrix) (h : R).
    Hypothesis h_small : 0 < h <= 1 / 1000.
    Hypothesis moved : forall a r, (a < 2)%nat -> (r < 2)%nat ->
      Rabs ((V a r - start a r) / h - entry ten_times_the_move a r / 4) <= 1 / 1000.

    Local Notation x := (start 0%nat 0%nat).
    Local Notation y := (start 1%nat 0%nat).
    Local Notation z := (start 1%nat 1%nat).

    Definition slope (a r : nat) : R := (V a r - start a r) / h.
    Lemma slopes :
      249 / 1000 <= slope 0 0 <= 251 / 1000 /\ - (1 / 1000) <= slope 0 1 <= 1 / 1000 /\
      249 / 1000 <= slope 1 0 <= 251 / 1000 /\ 249 / 1000 <= slope 1 1 <= 251 / 1000.
    Proof.
      assert (E := fun a r Ha Hr => Rabs_at_most _ _ (moved a r Ha Hr)).
      unfold entry, ten_times_the_move in E. unfold slope.
      pose proof (E 0%nat 0%nat ltac:(lia) ltac:(lia)) as E1. cbn [nth] in E1.
      pose proof (E 0%nat 1%nat ltac:(lia) ltac:(lia)) as E2. cbn [nth] in E2.
      pose proof (E 1%nat 0%nat ltac:(lia) ltac:(lia)) as E3. cbn [nth] in E3.
      pose proof (E 1%nat 1%nat ltac:(lia) ltac:(lia)) as E4. cbn [nth] in E4. lra.
    Qed.

    Lemma place a r : V a r = start a r + h * slope a r.
    Proof. unfold slope. field. lra. Qed.

    Lemma too_far : ~ bound_holds 2 2 2 identity start V.
    Proof.
      intros F. pose proof slopes as (S00 & S01 & S10 & S11).
      pose proof entries as (I00 & I01 & I10 & I11). unfold radius in *.
      pose proof (place 0 0) as V00. pose proof (place 0 1) as V01.
      pose proof (place 1 0) as V10. pose proof (place 1 1) as V11.
      set (p := slope 0 0) in *. set (q := slope 0 1) in *. set (s := slope 1 0) in *.
      set (v := slope 1 1) in *. clearbody p q s v.
      assert (Gram : spectral_at_most 2 2
                       (fun i j => sum 2 (fun a => identity a i * identity a j)) 1)
        by (intros u; unfold identity; simpl; lra).
      assert (Move : frobenius 2 2 (fun a r => V a r - start a r) <= 435 / 1000 * h).
      { unfold frobenius. rewrite <- (sqrt_square (435 / 1000 * h)) by lra. apply sqrt_le_1_alt.
        cbn [sum]. rewrite V00, V01, V10, V11.
        assert (p * p + q * q + s * s + v * v <= 189225 / 1000000) by nra.
        assert (0 < h * h) by nra. nra. }
      specialize (F 1 (708 / 1000) (435 / 1000 * h) ltac:(lra) Gram ltac:(lra) start_norm
                    ltac:(lra) Move (fun i => IZR (nth i direction 0%Z))).
      set (gap := fun i j => H 2 2 identity V i j - H 2 2 identity start i j) in F.
      assert (HV : forall i j, (i < 2)%nat -> (j < 2)%nat -> gap i j
        = (relu (V i 0%nat) * relu (V j 0%nat) + relu (V i 1%nat) * relu (V j 1%nat)
           - relu (start i 0%nat) * relu (start j 0%nat)
           - relu (start i 1%nat) * relu (start j 1%nat)) / 2)
        by (intros; unfold gap, H; cbn [sum]; rewrite !features_of by assumption; simpl; field).
      assert (T00 : relu x = x) by (apply relu_of_positive; lra).
      assert (T01 : relu (start 0%nat 1%nat) = 0) by (apply relu_of_negative; lra).
      assert (T10 : relu y = y) by (apply relu_of_positive; lra).
      assert (T11 : relu z = z) by (apply relu_of_positive; lra).
      assert (U00 : relu (V 0%nat 0%nat) = x + h * p) by (rewrite V00, relu_of_positive; nra).
      assert (U01 : relu (V 0%nat 1%nat) = 0) by (rewrite V01, relu_of_negative; nra).
      assert (U10 : relu (V 1%nat 0%nat) = y + h * s) by (rewrite V10, relu_of_positive; nra).
      assert (U11 : relu (V 1%nat 1%nat) = z + h * v) by (rewrite V11, relu_of_positive; nra).
      assert (G : forall f g, 499 / 1000 <= f -> 249 / 1000 <= g -> 1242 / 10000 * h <= f * (h * g))
        by (intros; assert (1242 / 10000 <= f * g) by nra; nra).
      assert (P : forall f g, 249 / 1000 <= f -> 249 / 1000 <= g -> 0 <= h * f * (h * g))
        by (intros; assert (0 < f * g) by nra; assert (0 < h * h) by nra; nra).
      assert (G00 : 1242 / 10000 * h <= gap 0%nat 0%nat).
      { rewrite HV, U00, U01, T00, T01 by lia.
        pose proof (G x p ltac:(lra) ltac:(lra)). pose proof (P p p ltac:(lra) ltac:(lra)). lra. }
      assert (G01 : 1242 / 10000 * h <= gap 0%nat 1%nat).
      { rewrite HV, U00, U01, U10, U11, T00, T01, T10, T11 by lia.
        pose proof (G x s ltac:(lra) ltac:(lra)). pose proof (G y p ltac:(lra) ltac:(lra)).
        pose proof (P p s ltac:(lra) ltac:(lra)). lra. }
      assert (G10 : 1242 / 10000 * h <= gap 1%nat 0%nat).
      { rewrite HV, U00, U01, U10, U11, T00, T01, T10, T11 by lia.
        pose proof (G x s ltac:(lra) ltac:(lra)). pose proof (G y p ltac:(lra) ltac:(lra)).
        pose proof (P p s ltac:(lra) ltac:(lra)). lra. }
      assert (G11 : 2484 / 10000 * h <= gap 1%nat 1%nat).
      { rewrite HV, U10, U11, T10, T11 by lia.
        pose proof (G y s ltac:(lra) ltac:(lra)). pose proof (G z v ltac:(lra) ltac:(lra)).
        pose proof (P s s ltac:(lra) ltac:(lra)). pose proof (P v v ltac:(lra) ltac:(lra)). lra. }
      cbn [sum] in F. unfold direction in F. cbn [nth] in F.
      assert (L0 : 16146 / 10000 * h <= 0 + gap 0%nat 0%nat * 5 + gap 0%nat 1%nat * 8) by lra.
      assert (L1 : 26082 / 10000 * h <= 0 + gap 1%nat 0%nat * 5 + gap 1%nat 1%nat * 8) by lra.
      assert (L2 : 0 <= 16146 / 10000 * h /\ 0 <= 26082 / 10000 * h) by lra.
      assert (Q0 := pow_incr _ _ 2 (conj (proj1 L2) L0)).
      assert (Q1 := pow_incr _ _ 2 (conj (proj2 L2) L1)).
      assert (C : 0 <= 1 / INR 2 * (2 * (708 / 1000) + 435 / 1000 * h) * (435 / 1000 * h)
                  <= 3082 / 10000 * h)
        by (replace (INR 2) with 2 by (simpl; lra); split; nra).
      assert (Q := pow_incr _ _ 2 C).
      assert (0 < h ^ 2) by nra.
      nra.
    Qed.
  End Move.

  (* Every flow from here leaves the bound at once. *)
  Lemma every_flow T Wt At :
    0 < T -> flow 2 2 2 identity start (entry W) T Wt At ->
    exists t, 0 <= t < T /\ ~ bound_holds 2 2 2 identity start (Wt t).
  Proof.
    intros T0 [S F].
    assert (D : forall a r, (a < 2)%nat -> (r < 2)%nat -> exists h_0, 0 < h_0 /\
              forall h, 0 < h <= h_0 ->
                Rabs ((Wt h a r - start a r) / h - entry ten_times_the_move a r / 4) <= 1 / 1000).
    { intros a r Ha Hr. destruct (F 0 a r ltac:(lra) Ha Hr) as [E _].
      pose proof (Rabs_at_most _ _ (first_force _ _ S a r Ha Hr)) as N.
      destruct (E (1 / 2000) ltac:(lra)) as (h_0 & P & B). exists h_0. split; [assumption|].
      intros h Hh. specialize (B h Hh). rewrite Rplus_0_l, (proj1 (S a r Ha Hr)) in B.
      apply Rabs_at_most in B. apply Rabs_le. lra. }
    destruct (D 0 0 ltac:(lia) ltac:(lia))%nat as (h1 & P1 & D1).
    destruct (D 0 1 ltac:(lia) ltac:(lia))%nat as (h2 & P2 & D2).
    destruct (D 1 0 ltac:(lia) ltac:(lia))%nat as (h3 & P3 & D3).
    destruct (D 1 1 ltac:(lia) ltac:(lia))%nat as (h4 & P4 & D4).
    set (h := Rmin (Rmin (Rmin h1 h2) (Rmin h3 h4)) (Rmin (T / 2) (1 / 1000))).
    assert (B : 0 < h /\ h <= h1 /\ h <= h2 /\ h <= h3 /\ h <= h4 /\ h <= T / 2 /\ h <= 1 / 1000)
      by (unfold h, Rmin; repeat destruct Rle_dec; lra).
    exists h. split; [lra|]. apply too_far with h; [lra|].
    apply four_entries; [apply D1|apply D2|apply D3|apply D4]; lra.
  Qed.
End Start.

Theorem refuted : ~ printed.
Proof.
  intros F.
  destruct (F 2 2 2 identity middle (entry W) radius)%nat
    as (start & T & Wt & At & Near & T0 & Fl & B); try lia.
  - apply four_entries; unfold identity; simpl; ring.
  - apply four_entries; unfold entry, W; simpl; lra.
  - unfold radius. lra.
  - destruct (every_flow start Near T Wt At T0 Fl) as (t & Ht & N). exact (N (B t Ht)).
Qed.
