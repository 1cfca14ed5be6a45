(* The contrastive loss with l(t) = -t and the PCA objective (thesis, Section 7.2) for finitely many
   hidden features: z_R ranges over 0, ..., m - 1 and z_U over 0, ..., n - 1; prob r u is their
   joint law, and phi r u the representation of g(z), a vector of k coordinates. *)
From Coq Require Import Reals Lra Lia.
From Proofs.common Require Import sums.
Open Scope R_scope.

Definition law (m n : nat) (prob : nat -> nat -> R) : Prop :=
  (forall r u, (r < m)%nat -> (u < n)%nat -> 0 <= prob r u) /\
  sum m (fun r => sum n (fun u => prob r u)) = 1.

(* E f(z) *)
Definition mean (m n : nat) (prob : nat -> nat -> R) (f : nat -> nat -> R) : R :=
  sum m (fun r => sum n (fun u => prob r u * f r u)).

Definition dot (k : nat) (a b : nat -> R) : R := sum k (fun c => a c * b c).

(* Pr[z_R = r] *)
Definition marginal (n : nat) (prob : nat -> nat -> R) (r : nat) : R := sum n (fun u => prob r u).

(* phi_{z_R} = E[phi(x) | z_R] and phi_0 = E phi(x) *)
Definition phi_R (n : nat) (prob : nat -> nat -> R) (phi : nat -> nat -> nat -> R) (r c : nat) : R :=
  sum n (fun u => prob r u * phi r u c) / marginal n prob r.
Definition phi_0 (m n : nat) (prob : nat -> nat -> R) (phi : nat -> nat -> nat -> R) (c : nat) : R :=
  mean m n prob (fun r u => phi r u c).

(* E l(phi(x)^T (phi(x+) - phi(x-))) with l(t) = -t; second r u+ is the chance that the copy of z_U
   in x+ is u+, given z_R = r. *)
Definition contrastive (m n k : nat) (prob second : nat -> nat -> R)
    (phi : nat -> nat -> nat -> R) : R :=
  mean m n prob (fun r u =>
    sum n (fun u' => second r u' *
      mean m n prob (fun s v => - dot k (phi r u) (fun c => phi r u' c - phi s v c)))).

(* -E |phi_{z_R} - phi_0|^2 *)
Definition pca (m n k : nat) (prob : nat -> nat -> R) (phi : nat -> nat -> nat -> R) : R :=
  - sum m (fun r => marginal n prob r *
      sum k (fun c => Rsqr (phi_R n prob phi r c - phi_0 m n prob phi c))).
