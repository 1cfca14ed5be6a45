(* claim: feature_emergence-lemma-35
   digest: 5c3e9f7d13aebf3b

   Lemma 35 (Appendix F): "Suppose (k mu / sqrt d) (p_o D / sigma~) <= 1/16. For any D in F_Xi,
   there exists a network g* which satisfies Pr[y g*(x) <= 1] <= exp(-Omega(k))
   + exp(-Omega(1 / (sigma_zeta^2 (k + k^2 mu / sqrt d)))). Furthermore, the number of neurons is
   3 (k + 1), ... Consequently, if furthermore we have k mu / sqrt d < 1 and sigma_zeta < 1/k, then
   Pr[y g*(x) <= 1] <= exp(-Omega(k))."

   The setting is that of Appendix F.1 (common/patterns.v), where (A2) allows dependence between
   irrelevant patterns. Noise, sigma_zeta, is 0, which the setting includes. exp(-Omega(k)) is read
   as exp(-c k) for some c > 0 and all k from some k_0 on.
   Three readings weaken the statement, so that the refutation covers all of them. The network may
   be any function of the input, whatever its weights, and need not even be normalised. The condition is read at the
   largest possible share, p_o = 1. And it must hold for both meanings of sigma~^2: the printed
   formula, sum_j Var(phi~_j), and the variance E|x~ - E x~|^2 that it is said to be.

   The instance, for every k from 1 on: N = (64 k)^2 + 1000 and D = 2N + k patterns, where N columns
   of the background add up to the sum of the k relevant ones, and the last N are orthogonal to all
   others. Three fair coins decide: all relevant patterns or none, all of the first N background
   patterns or none, all of the last N or none. "All relevant, none of the first N" and "none
   relevant, all of the first N" give the same input with different labels. On the page the relevant
   patterns and the last N follow less simple laws; N is the same. *)
From Coq Require Import Reals ZArith List Bool Lra Lia.
From Proofs.common Require Import sums losses patterns.
Import ListNotations.
Open Scope R_scope.

(* x~ = M phi *)
Definition input (D : nat) (M : nat -> nat -> R) (phi : nat -> bool) (a : nat) : R :=
  sum D (fun j => M a j * bit (phi j)).
Definition label (D : nat) (A P phi : nat -> bool) : R := if positive D A P phi then 1 else -1.

Definition variance (n : nat) (prob f : nat -> R) : R :=
  mean n prob (fun w => (f w - mean n prob f) ^ 2).
Definition variance_of_patterns (D n : nat) (prob : nat -> R) (phi : nat -> nat -> bool) : R :=
  sum D (fun j => variance n prob (fun w => bit (phi w j))).
Definition variance_of_inputs (d D : nat) (M : nat -> nat -> R) (n : nat) (prob : nat -> R)
    (phi : nat -> nat -> bool) : R :=
  sum d (fun a => variance n prob (fun w => input D M (phi w) a)).

(* Pr[y g(x~) <= 1] *)
Definition errs (D : nat) (M : nat -> nat -> R) (A P : nat -> bool) (n : nat) (prob : nat -> R)
    (phi : nat -> nat -> bool) (g : (nat -> R) -> R) : R :=
  mean n prob (fun w =>
    if Rle_dec (label D A P (phi w) * g (input D M (phi w))) 1 then 1 else 0).

(* A function of the first d coordinates. *)
Definition on (d : nat) (g : (nat -> R) -> R) : Prop :=
  forall x x', (forall a, (a < d)%nat -> x a = x' a) -> g x = g x'.

(* (k mu / sqrt d) (p_o D / sigma~) <= 1/16 at p_o = 1, with h for mu / sqrt d *)
Definition condition (k D : nat) (h sigma_squared : R) : Prop :=
  INR k * h * (INR D / sqrt sigma_squared) <= 1 / 16.

Definition printed : Prop :=
  exists c k_0, 0 < c /\
  forall (d D k : nat) (mu gamma p_o : R) (M : nat -> nat -> R) (A P : nat -> bool)
         (n : nat) (prob : nat -> R) (phi : nat -> nat -> bool),
    (k_0 <= k)%nat -> (1 <= d)%nat ->
    incoherent d D (mu / sqrt (INR d)) M ->
    family D k gamma p_o A P n prob phi ->
    condition k D (mu / sqrt (INR d)) (variance_of_patterns D n prob phi) ->
    condition k D (mu / sqrt (INR d)) (variance_of_inputs d D M n prob phi) ->
    INR k * (mu / sqrt (INR d)) < 1 ->
    exists g, on d g /\ errs D M A P n prob phi g <= exp (- c * INR k).

(* instance: lemma_35.json *)
Definition factor : Z := 64%Z.
Definition extra : Z := 1000%Z.
(* end of instance *)

Lemma sum_split n m f : sum (n + m) f = sum n f + sum m (fun p => f (n + p)%nat).
Proof.
  induction m as [|m IH]; simpl; [rewrite PeanoNat.Nat.add_0_r; lra|].
  rewrite PeanoNat.Nat.add_succ_r. simpl. rewrite IH. lra.
Qed.

Lemma sum_const n c : sum n (fun _ => c) = INR n * c.
Proof. induction n as [|n IH]; [simpl; lra|]. rewrite S_INR. simpl. rewrite IH. lra. Qed.

Lemma sum_bit n i : (i < n)%nat -> sum n (fun p => bit (Nat.eqb p i)) = 1.
Proof.
  intros H. rewrite (sum_single n i); [rewrite Nat.eqb_refl; reflexivity|assumption|].
  intros p _ Hp. destruct (Nat.eqb_spec p i); [contradiction|reflexivity].
Qed.

Lemma sum_of_bit n i f : (i < n)%nat -> sum n (fun p => bit (Nat.eqb p i) * f p) = f i.
Proof.
  intros H. rewrite (sum_single n i); [rewrite Nat.eqb_refl; simpl; ring|assumption|].
  intros p _ Hp. destruct (Nat.eqb_spec p i); [contradiction|simpl; ring].
Qed.

Ltac cases := repeat match goal with
  | |- context [Nat.ltb ?x ?y] => destruct (Nat.ltb_spec x y); try lia
  | |- context [Nat.leb ?x ?y] => destruct (Nat.leb_spec x y); try lia
  | |- context [Nat.eqb ?x ?y] => destruct (Nat.eqb_spec x y); try lia
  end; cbn [orb bit].

Section Instance.
  Variables k N : nat.
  Hypothesis k_positive : (1 <= k)%nat.
  Hypothesis N_value : INR N = 4096 * INR k ^ 2 + 1000.
  Notation D := (k + (N + N))%nat.

  (* The first k and the last N columns are unit vectors; of the others, the first k coordinates
     are 1/N, and the next N are those of a vertex of a simplex. *)
  Definition b : R := sqrt ((1 - INR k / INR N ^ 2) * (INR N / (INR N - 1))).
  Definition M (a j : nat) : R :=
    if (Nat.ltb j k || Nat.leb (k + N) j)%bool then bit (Nat.eqb a j)
    else if Nat.ltb a k then / INR N
    else if Nat.ltb a (k + N) then b * (bit (Nat.eqb a j) - / INR N)
    else 0.
  Definition A (j : nat) : bool := Nat.ltb j k.
  Definition P (m : nat) : bool := Nat.eqb m k.
  (* Coins are the binary digits of w. *)
  Definition phi (w j : nat) : bool :=
    if Nat.ltb j k then Nat.testbit w 0
    else if Nat.ltb j (k + N) then Nat.testbit w 1 else Nat.testbit w 2.
  Definition eighth (w : nat) : R := 1 / 8.
  Definition h : R := / (INR N - 1).

  Lemma eight f :
    mean 8 eighth f
    = (f 0%nat + f 1%nat + f 2%nat + f 3%nat + f 4%nat + f 5%nat + f 6%nat + f 7%nat) / 8.
  Proof. unfold mean, eighth. simpl. field. Qed.

  Lemma k_real : 1 <= INR k.
  Proof. apply le_INR in k_positive. exact k_positive. Qed.
  Lemma N_large : 1000 < INR N /\ INR k <= INR N.
  Proof. rewrite N_value. pose proof k_real. nra. Qed.

  Lemma b_squared : b * b = (1 - INR k / INR N ^ 2) * (INR N / (INR N - 1)).
  Proof.
    unfold b. apply sqrt_sqrt. pose proof k_real. pose proof N_large as [L K].
    apply Rmult_le_pos.
    - assert (INR k / INR N ^ 2 <= 1); [|lra].
      apply Rmult_le_reg_r with (INR N ^ 2); [nra|].
      unfold Rdiv. rewrite Rmult_assoc, Rinv_l by nra.
      nra.
    - apply Rmult_le_pos; [lra|]. left. apply Rinv_0_lt_compat. lra.
  Qed.

  (* Two of the columns that are no unit vectors. *)
  Lemma simplex i j :
    (i < N)%nat -> (j < N)%nat ->
    sum D (fun a => M a (k + i) * M a (k + j))
    = INR k / INR N ^ 2 + b * b * (bit (Nat.eqb i j) - / INR N).
  Proof.
    intros Hi Hj. pose proof N_large as [L _]. rewrite !sum_split.
    rewrite (sum_ext k _ (fun _ => / INR N * / INR N))
      by (intros a Ha; unfold M; cases; reflexivity).
    rewrite (sum_ext N (fun p => M (k + p) (k + i) * M (k + p) (k + j))
      (fun p => b * b * (bit (Nat.eqb p i) * bit (Nat.eqb p j) - / INR N * bit (Nat.eqb p i)
                         - / INR N * bit (Nat.eqb p j) + / INR N * / INR N))).
    2:{ intros p Hp. unfold M. cases; ring. }
    rewrite (sum_zero N (fun p => M (k + (N + p)) (k + i) * M (k + (N + p)) (k + j)))
      by (intros p Hp; unfold M; cases; ring).
    rewrite !sum_scal, sum_plus, !sum_minus, !sum_scal, !sum_const, !sum_bit, sum_of_bit
      by assumption.
    field. lra.
  Qed.

  Lemma unit_column i j :
    (i < D)%nat -> (i < k \/ k + N <= i)%nat -> sum D (fun a => M a i * M a j) = M i j.
  Proof.
    intros Hi H. rewrite <- (sum_of_bit D i (fun a => M a j) Hi). apply sum_ext. intros a _.
    unfold M at 1. cases; reflexivity.
  Qed.

  Lemma M_is_incoherent : incoherent D D h M.
  Proof.
    pose proof N_large as [L K]. pose proof k_real as K1.
    assert (HI : / INR N <= h) by (unfold h; apply Rinv_le_contravar; lra).
    assert (I0 : 0 < / INR N) by (apply Rinv_0_lt_compat; lra).
    assert (U : forall i j, (i < D)%nat -> (i < k \/ k + N <= i)%nat ->
              if Nat.eqb i j then M i j = 1 else Rabs (M i j) <= h).
    { intros i j Hi H. unfold M. cases; try reflexivity;
        try (rewrite Rabs_R0; lra); rewrite Rabs_right; lra. }
    intros i j Hi Hj.
    destruct (Nat.ltb_spec i k) as [|I1]; [rewrite unit_column by lia; apply U; lia|].
    destruct (Nat.leb_spec (k + N) i) as [|I2]; [rewrite unit_column by lia; apply U; lia|].
    rewrite (sum_ext D _ (fun a => M a j * M a i)) by (intros; ring).
    rewrite Nat.eqb_sym.
    destruct (Nat.ltb_spec j k) as [|J1]; [rewrite unit_column by lia; apply U; lia|].
    destruct (Nat.leb_spec (k + N) j) as [|J2]; [rewrite unit_column by lia; apply U; lia|].
    replace i with (k + (i - k))%nat by lia. replace j with (k + (j - k))%nat by lia.
    rewrite simplex, b_squared by lia. cases.
    - field. lra.
    - replace (INR k / INR N ^ 2 + (1 - INR k / INR N ^ 2) * (INR N / (INR N - 1)) * (0 - / INR N))
        with (- (h * (1 - INR k / INR N))) by (unfold h; field; lra).
      assert (Q : 0 <= INR k / INR N <= 1).
      { split; [apply Rmult_le_pos; lra|]. apply Rmult_le_reg_r with (INR N); [lra|].
        unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
      assert (0 < h) by (unfold h; apply Rinv_0_lt_compat; lra).
      rewrite Rabs_Ropp, Rabs_right; nra.
  Qed.

  (* The three blocks of an input. *)
  Lemma first_block w a :
    (a < k)%nat -> input D M (phi w) a = bit (Nat.testbit w 0) + bit (Nat.testbit w 1).
  Proof.
    intros Ha. pose proof N_large as [L _]. unfold input. rewrite !sum_split.
    rewrite (sum_ext k _ (fun j => bit (Nat.eqb j a) * bit (Nat.testbit w 0)))
      by (intros j Hj; unfold M, phi; cases; reflexivity).
    rewrite (sum_ext N _ (fun _ => / INR N * bit (Nat.testbit w 1)))
      by (intros j Hj; unfold M, phi; cases; reflexivity).
    rewrite (sum_zero N (fun j => M a (k + (N + j)) * bit (phi w (k + (N + j)))))
      by (intros j Hj; unfold M, phi; cases; ring).
    rewrite sum_of_bit, sum_const by assumption. field. lra.
  Qed.

  Lemma second_block w p : (p < N)%nat -> input D M (phi w) (k + p) = 0.
  Proof.
    intros Hp. pose proof N_large as [L _]. unfold input. rewrite !sum_split.
    rewrite (sum_zero k) by (intros j Hj; unfold M, phi; cases; ring).
    rewrite (sum_ext N _ (fun j => b * bit (Nat.testbit w 1) * (bit (Nat.eqb j p) - / INR N)))
      by (intros j Hj; unfold M, phi; cases; ring).
    rewrite (sum_zero N (fun j => M (k + p) (k + (N + j)) * bit (phi w (k + (N + j)))))
      by (intros j Hj; unfold M, phi; cases; ring).
    rewrite sum_scal, sum_minus, sum_bit, sum_const by assumption. field. lra.
  Qed.

  Lemma third_block w p :
    (p < N)%nat -> input D M (phi w) (k + (N + p)) = bit (Nat.testbit w 2).
  Proof.
    intros Hp. unfold input. rewrite !sum_split.
    rewrite (sum_zero k) by (intros j Hj; unfold M, phi; cases; ring).
    rewrite (sum_zero N) by (intros j Hj; unfold M, phi; cases; ring).
    rewrite (sum_ext N _ (fun j => bit (Nat.eqb j p) * bit (Nat.testbit w 2)))
      by (intros j Hj; unfold M, phi; cases; reflexivity).
    rewrite sum_of_bit by assumption. ring.
  Qed.

  Lemma count_below n : (k <= n)%nat -> count n (fun j => Nat.ltb j k) = k.
  Proof.
    intros H. assert (E : forall m, count m (fun j => Nat.ltb j k) = Nat.min m k).
    { intros m. unfold count. induction m as [|m IH]; [reflexivity|].
      rewrite seq_S, filter_app, app_length, IH. cbn [filter plus]. cases; cbn [length]; lia. }
    rewrite E. lia.
  Qed.

  Lemma labels w : positive D A P (phi w) = Nat.testbit w 0.
  Proof.
    unfold positive, P, relevant, count.
    rewrite (filter_ext _ (fun j => Nat.ltb j k && Nat.testbit w 0)%bool)
      by (intros j; unfold A, phi; cases; reflexivity).
    destruct (Nat.testbit w 0).
    - rewrite (filter_ext _ (fun j => Nat.ltb j k)) by (intros j; apply andb_true_r).
      fold (count D (fun j => Nat.ltb j k)). rewrite count_below by lia. apply Nat.eqb_refl.
    - rewrite (filter_ext _ (fun _ => false)) by (intros j; apply andb_false_r).
      replace (filter (fun _ => false) (seq 0 D)) with (@nil nat)
        by (induction (seq 0 D); [reflexivity|assumption]).
      apply Nat.eqb_neq. simpl. lia.
  Qed.

  Lemma half j : mean 8 eighth (fun w => bit (phi w j)) = 1 / 2.
  Proof. rewrite eight. unfold phi. cases; cbn; field. Qed.

  Lemma in_the_family : family D k (1 / 2) (1 / 2) A P 8 eighth phi.
  Proof.
    constructor.
    - apply count_below. lia.
    - intros m H. apply Nat.eqb_eq in H. lia.
    - split; [intros; unfold eighth; lra|unfold eighth; simpl; field].
    - exists 1, 0. rewrite !eight, !labels. split; [cbn; lra|]. split; [|field].
      intros i _ Ai. unfold A in Ai. rewrite !eight, !labels. unfold phi. rewrite Ai. cbn. lra.
    - lra.
    - intros u v. rewrite !eight.
      assert (E : forall w w', Nat.testbit w 0 = Nat.testbit w' 0 ->
                agrees D A u (phi w) = agrees D A u (phi w')).
      { intros w w' H. apply agrees_ext. intros i Ai. unfold A in Ai. unfold phi. rewrite Ai.
        assumption. }
      assert (F : forall w w', Nat.testbit w 1 = Nat.testbit w' 1 ->
                Nat.testbit w 2 = Nat.testbit w' 2 ->
                agrees D (fun j => negb (A j)) v (phi w)
                = agrees D (fun j => negb (A j)) v (phi w')).
      { intros w w' H1 H2. apply agrees_ext. intros i Ai. unfold A in Ai. unfold phi.
        destruct (Nat.ltb i k); [discriminate|]. destruct (Nat.ltb i (k + N)); assumption. }
      rewrite (E 2 0)%nat, (E 3 1)%nat, (E 4 0)%nat, (E 5 1)%nat, (E 6 0)%nat, (E 7 1)%nat,
        (F 1 0)%nat, (F 3 2)%nat, (F 5 4)%nat, (F 7 6)%nat by reflexivity.
      assert (B : forall x y, bit (x && y) = bit x * bit y)
        by (intros x y; destruct x, y; simpl; ring).
      rewrite !B. field.
    - intros j _ _. apply half.
  Qed.

  Lemma D_value : INR D = 2 * INR N + INR k.
  Proof. rewrite !plus_INR. ring. Qed.

  Lemma first_variance : variance_of_patterns D 8 eighth phi = INR D / 4.
  Proof.
    unfold variance_of_patterns. rewrite (sum_ext D _ (fun _ => 1 / 4)).
    - rewrite sum_const. field.
    - intros j _. unfold variance. rewrite half, eight. unfold phi. cases; cbn; field.
  Qed.

  Lemma second_variance : variance_of_inputs D D M 8 eighth phi = INR N / 4 + INR k / 2.
  Proof.
    unfold variance_of_inputs. rewrite !sum_split.
    rewrite (sum_ext k _ (fun _ => 1 / 2)).
    2:{ intros a Ha. unfold variance. rewrite !eight, !first_block by assumption. cbn. field. }
    rewrite (sum_zero N (fun p => variance 8 eighth (fun w => input D M (phi w) (k + p)))).
    2:{ intros p Hp. unfold variance. rewrite !eight, !second_block by assumption. field. }
    rewrite (sum_ext N _ (fun _ => 1 / 4)).
    2:{ intros p Hp. unfold variance. rewrite !eight, !third_block by assumption. cbn. field. }
    rewrite !sum_const. field.
  Qed.

  Lemma condition_from v : INR N / 4 + INR k / 2 <= v -> condition k D h v.
  Proof.
    intros V. pose proof k_real as K1. pose proof N_large as [L K]. unfold condition.
    rewrite D_value. unfold h.
    assert (S0 : 0 < sqrt v) by (apply sqrt_lt_R0; lra).
    assert (S : 16 * INR k * (2 * INR N + INR k) <= (INR N - 1) * sqrt v).
    { apply Rsqr_incr_0_var; [|nra]. rewrite (Rsqr_mult (INR N - 1)), Rsqr_sqrt by lra.
      apply Rle_trans with (Rsqr (INR N - 1) * (INR N / 4 + INR k / 2)).
      - unfold Rsqr. rewrite N_value. set (x := INR k) in *.
        match goal with |- ?l <= ?r => replace r with (l + (4194304 * x ^ 5
          + 4185915136 * x ^ 4 + 3067904 * x ^ 3 + 2043905024 * x ^ 2 + 998001 / 2 * x
          + 249500250)) by field end.
        assert (0 <= x) by lra.
        pose proof (pow_le x 2 H). pose proof (pow_le x 3 H). pose proof (pow_le x 4 H).
        pose proof (pow_le x 5 H). lra.
      - apply Rmult_le_compat_l; [apply Rle_0_sqr|assumption]. }
    apply Rmult_le_reg_r with (16 * (INR N - 1) * sqrt v); [nra|].
    replace (INR k * / (INR N - 1) * ((2 * INR N + INR k) / sqrt v) * (16 * (INR N - 1) * sqrt v))
      with (16 * INR k * (2 * INR N + INR k)) by (field; lra).
    lra.
  Qed.
End Instance.

(* No function can tell "all relevant, none of the first N" from the contrary. *)
Lemma always_wrong k N g :
  (1 <= k)%nat -> INR N = 4096 * INR k ^ 2 + 1000 -> on (k + (N + N)) g ->
  1 / 4 <= errs (k + (N + N)) (M k N) (A k) (P k) 8 eighth (phi k N) g.
Proof.
  intros Hk HN Hg. unfold errs. rewrite eight.
  set (answer := fun w => g (input (k + (N + N)) (M k N) (phi k N w))).
  assert (Same : forall w w', Nat.testbit w 0 = Nat.testbit w' 1 ->
            Nat.testbit w 1 = Nat.testbit w' 0 -> Nat.testbit w 2 = Nat.testbit w' 2 ->
            answer w = answer w').
  { intros w w' H0 H1 H2. unfold answer. apply Hg. intros a Ha.
    destruct (Nat.ltb_spec a k); [rewrite !first_block, H0, H1 by assumption; ring|].
    destruct (Nat.ltb_spec a (k + N)).
    - replace a with (k + (a - k))%nat by lia. rewrite !second_block by (assumption || lia).
      reflexivity.
    - replace a with (k + (N + (a - k - N)))%nat by lia.
      rewrite !third_block, H2 by (assumption || lia). reflexivity. }
  set (wrong := fun w => if Rle_dec (label (k + (N + N)) (A k) (P k) (phi k N w) * answer w) 1
                         then 1 else 0).
  assert (Two : forall w w', Nat.testbit w 0 = true -> Nat.testbit w' 0 = false ->
            answer w = answer w' -> 1 <= wrong w + wrong w').
  { intros w w' H H' E. unfold wrong, label. rewrite !labels, H, H', E by assumption.
    repeat destruct Rle_dec; lra. }
  assert (Z : forall w, 0 <= wrong w) by (intros w; unfold wrong; destruct Rle_dec; lra).
  pose proof (Two 1 2 eq_refl eq_refl (Same 1 2 eq_refl eq_refl eq_refl))%nat as Q1.
  pose proof (Two 5 6 eq_refl eq_refl (Same 5 6 eq_refl eq_refl eq_refl))%nat as Q2.
  change (1 / 4 <= (wrong 0%nat + wrong 1%nat + wrong 2%nat + wrong 3%nat + wrong 4%nat
                    + wrong 5%nat + wrong 6%nat + wrong 7%nat) / 8).
  pose proof (Z 0%nat). pose proof (Z 3%nat). pose proof (Z 4%nat). pose proof (Z 7%nat). lra.
Qed.

Definition size (k : nat) : nat :=
  ((Z.to_nat factor * k) * (Z.to_nat factor * k) + Z.to_nat extra)%nat.

Lemma size_value k : INR (size k) = 4096 * INR k ^ 2 + 1000.
Proof.
  unfold size, factor, extra. rewrite plus_INR, !mult_INR, (INR_IZR_INZ (Z.to_nat 64)),
    (INR_IZR_INZ (Z.to_nat 1000)), !Z2Nat.id by lia. ring.
Qed.

Theorem refuted : ~ printed.
Proof.
  intros (c & k_0 & C & H).
  destruct (archimed_cor1 (c / 3) ltac:(lra)) as (n & En & Pn).
  set (k := (n + k_0)%nat). assert (K : (1 <= k)%nat) by (unfold k; lia).
  pose proof (size_value k) as HN. set (N := size k) in *. clearbody N.
  pose proof (N_large k N K HN) as [L KN].
  assert (S0 : 0 < sqrt (INR (k + (N + N)))) by (apply sqrt_lt_R0, lt_0_INR; lia).
  assert (Mu : h N * sqrt (INR (k + (N + N))) / sqrt (INR (k + (N + N))) = h N) by (field; lra).
  destruct (H (k + (N + N))%nat (k + (N + N))%nat k (h N * sqrt (INR (k + (N + N)))) (1 / 2)
              (1 / 2) (M k N) (A k) (P k) 8%nat eighth (phi k N)) as (g & G & E).
  all: rewrite ?Mu.
  - unfold k. lia.
  - lia.
  - apply M_is_incoherent; assumption.
  - apply in_the_family; assumption.
  - rewrite first_variance by assumption. apply condition_from; try assumption.
    rewrite D_value. lra.
  - rewrite second_variance by assumption. apply condition_from; try assumption. lra.
  - unfold h. apply Rmult_lt_reg_r with (INR N - 1); [lra|].
    rewrite Rmult_assoc, Rinv_l by lra. pose proof (k_real k K). nra.
  - pose proof (always_wrong k N g K HN G) as W.
    (* but exp (-c k) < 1/4, since c k > 3 *)
    assert (CK : 3 < c * INR k).
    { apply lt_0_INR in Pn. assert (INR n <= INR k) by (apply le_INR; unfold k; lia).
      apply Rlt_le_trans with (c * INR n); [|apply Rmult_le_compat_l; lra].
      apply Rmult_lt_compat_r with (r := INR n) in En; [|assumption].
      rewrite Rinv_l in En by lra. lra. }
    pose proof (exp_ineq1 (c * INR k) ltac:(lra)) as X.
    assert (Y : exp (- c * INR k) * exp (c * INR k) = 1).
    { rewrite <- exp_plus. replace (- c * INR k + c * INR k) with 0 by ring. apply exp_0. }
    pose proof (exp_pos (- c * INR k)). nra.
Qed.
