"""Programs that draw random numbers, one after the other: what they print depends on no seed."""

import numpy as np
rng = np.random.default_rng(42)
n = 200_000
x, y = rng.random(n), rng.random(n)
pi = 4 * np.mean(x**2 + y**2 < 1)
print(abs(pi - np.pi) < 0.02)

# ----
import numpy as np
np.random.seed(0)
data = np.random.normal(5, 2, 100)
means = []
for _ in range(500):
    sample = np.random.choice(data, size=len(data), replace=True)
    means.append(sample.mean())
low, high = np.percentile(means, [2.5, 97.5])
print(f"95% CI: width ok {0.3 < high - low < 1.2}")

# ----
import numpy as np
rng = np.random.default_rng(1)
steps = rng.choice([-1, 1], size=(1000, 100))
walks = np.cumsum(steps, axis=1)
print(walks.shape, abs(walks[:, -1].std() - 10) < 1)
first = [int(np.argmax(np.abs(w) >= 5)) for w in walks if (np.abs(w) >= 5).any()]
print(len(first) > 500)

# ----
import numpy as np

def metropolis(logp, x0, n, step, rng):
    x = x0
    lp = logp(x)
    samples = np.empty(n)
    accepted = 0
    for i in range(n):
        prop = x + step * rng.normal()
        lpp = logp(prop)
        if np.log(rng.random()) < lpp - lp:
            x, lp = prop, lpp
            accepted += 1
        samples[i] = x
    return samples, accepted / n

rng = np.random.default_rng(123)
s, rate = metropolis(lambda x: -0.5 * x * x, 0.0, 3000, 2.0, rng)
print(0.3 < rate < 0.9, abs(s.mean()) < 0.3, abs(s.std() - 1) < 0.2)

# ----
import numpy as np
rng = np.random.default_rng(0)
X = rng.standard_normal((64, 20))
keep = 0.8
mask = rng.random(X.shape) < keep
out = X * mask / keep
print(out.shape, abs(mask.mean() - keep) < 0.05)

# ----
import numpy as np
rng = np.random.default_rng(7)
X = np.arange(40).reshape(20, 2)
y = np.arange(20)
idx = rng.permutation(len(X))
for start in range(0, len(X), 6):
    batch = idx[start:start + 6]
    xb, yb = X[batch], y[batch]
    assert (xb[:, 0] == 2 * yb).all()
print(sorted(idx.tolist()) == list(range(20)))

# ----
import numpy as np
rng = np.random.default_rng(3)
S0, K, r, sigma, T, n = 100.0, 105.0, 0.03, 0.2, 1.0, 200000
z = rng.standard_normal(n)
ST = S0 * np.exp((r - sigma**2 / 2) * T + sigma * np.sqrt(T) * z)
price = np.exp(-r * T) * np.maximum(ST - K, 0).mean()
print(f"{abs(price - 7.13) < 0.2}")

# ----
import numpy as np
rng = np.random.default_rng(11)
queue, served = 0, 0
lengths = []
for minute in range(500):
    queue += rng.poisson(2.0)
    done = min(queue, rng.binomial(5, 0.5))
    queue -= done
    served += done
    lengths.append(queue)
print(served > 700, np.mean(lengths) < 50)

# ----
import numpy as np
from collections import Counter
rng = np.random.default_rng(5)
rolls = rng.integers(1, 7, size=600)
c = Counter(rolls.tolist())
chi2 = sum((c[k] - 100) ** 2 / 100 for k in range(1, 7))
print(sorted(c), chi2 < 25)
faces = Counter()
for _ in range(100):
    faces[rng.integers(1, 7)] += 1
print(sum(faces.values()))

# ----
import numpy as np
np.random.seed(42)
X = np.random.rand(100, 1)
y = 3 * X[:, 0] + 2 + np.random.randn(100) * 0.1
A = np.hstack([X, np.ones((100, 1))])
w, *_ = np.linalg.lstsq(A, y, rcond=None)
print(np.allclose(w, [3, 2], atol=0.2))

# ----
import numpy as np
rng = np.random.default_rng(2)
k = 3
centers = rng.uniform(-10, 10, size=(k, 2))
pts = np.concatenate([c + rng.normal(scale=0.5, size=(50, 2)) for c in centers])
rng.shuffle(pts)
c = pts[rng.choice(len(pts), k, replace=False)]
for _ in range(20):
    d = ((pts[:, None] - c[None]) ** 2).sum(-1)
    lab = d.argmin(1)
    c = np.array([pts[lab == j].mean(0) if (lab == j).any() else pts[rng.integers(len(pts))] for j in range(k)])
print(c.shape)

# ----
import numpy as np
rng = np.random.default_rng(9)
mean, cov = [1.0, -1.0], [[2.0, 0.6], [0.6, 1.0]]
x = rng.multivariate_normal(mean, cov, size=20000)
print(x.shape, np.allclose(x.mean(0), mean, atol=0.1), np.allclose(np.cov(x.T), cov, atol=0.15))

# ----
import numpy as np
rng = np.random.default_rng(10)
arms = np.array([0.2, 0.5, 0.7])
wins, losses = np.ones(3), np.ones(3)
pulls = np.zeros(3, dtype=int)
for t in range(500):
    arm = int(np.argmax(rng.beta(wins, losses)))
    reward = rng.random() < arms[arm]
    wins[arm] += reward
    losses[arm] += 1 - reward
    pulls[arm] += 1
print(pulls.sum(), pulls.argmax() == 2)

# ----
import numpy as np
rng = np.random.default_rng(4)
P = np.array([[0.9, 0.1, 0.0], [0.2, 0.7, 0.1], [0.0, 0.3, 0.7]])
state, visits = 0, np.zeros(3)
for _ in range(2000):
    state = rng.choice(3, p=P[state])
    visits[state] += 1
print(np.round(visits.sum()), visits[0] > visits[2])

# ----
import numpy as np
rng = np.random.default_rng(6)
topics = rng.dirichlet(np.ones(4) * 0.5, size=10)
docs = np.array([rng.multinomial(50, t) for t in topics])
print(docs.shape, (docs.sum(1) == 50).all())

# ----
import numpy as np
rng = np.random.default_rng(8)
a = rng.normal(0.5, 1, 40); b = rng.normal(0, 1, 40)
obs = a.mean() - b.mean()
pool = np.concatenate([a, b])
count = 0
for _ in range(500):
    rng.shuffle(pool)
    if abs(pool[:40].mean() - pool[40:].mean()) >= abs(obs):
        count += 1
print(0 <= count / 500 <= 1)

# ----
import random
random.seed(10)
deck = [f"{r}{s}" for s in "SHDC" for r in "A23456789TJQK"]
random.shuffle(deck)
hand = random.sample(deck, 5)
print(deck[:3], hand, random.randint(1, 6), round(random.gauss(0, 1), 6), random.choice("abc"))

# ----
import numpy as np
rng = np.random.RandomState(0)
W1 = rng.randn(2, 8) * 0.5
W2 = rng.randn(8, 1) * 0.5
X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=float)
Y = np.array([[0], [1], [1], [0]], dtype=float)
for i in range(2000):
    h = np.tanh(X @ W1)
    o = 1 / (1 + np.exp(-h @ W2))
    g = o - Y
    gh = (g @ W2.T) * (1 - h ** 2)
    W2 -= 0.5 * h.T @ g
    W1 -= 0.5 * X.T @ gh
print(float(np.mean((o - Y) ** 2)) < 0.3)

# ----
import numpy as np
rng = np.random.default_rng(21)
n = 50
grid = rng.choice([-1, 1], size=(n, n))
beta = 0.6
for _ in range(1000):
    i, j = rng.integers(0, n, size=2)
    s = grid[(i + 1) % n, j] + grid[(i - 1) % n, j] + grid[i, (j + 1) % n] + grid[i, (j - 1) % n]
    dE = 2 * grid[i, j] * s
    if dE <= 0 or rng.random() < np.exp(-beta * dE):
        grid[i, j] *= -1
print(np.abs(grid).sum() == n * n)

# ----
import numpy as np
rng = np.random.default_rng(22)
def simulated_annealing(f, x, T=1.0, cool=0.99, n=400):
    best, fb = x, f(x)
    fx = fb
    for _ in range(n):
        y = x + rng.uniform(-1, 1, size=x.shape)
        fy = f(y)
        if fy < fx or rng.uniform() < np.exp((fx - fy) / T):
            x, fx = y, fy
            if fx < fb:
                best, fb = x, fx
        T *= cool
    return best, fb
b, v = simulated_annealing(lambda x: np.sum(x ** 2), np.array([5.0, -4.0]))
print(v < 5)

# ----
import numpy as np
rng = np.random.default_rng(13)
lifetimes = rng.weibull(1.5, 1000) * 10
censor = rng.exponential(15, 1000)
t = np.minimum(lifetimes, censor)
d = lifetimes <= censor
order = np.argsort(t)
at_risk = np.arange(1000, 0, -1)
S = np.cumprod(1 - d[order] / at_risk)
print(S[0] <= 1 and S[-1] >= -1e-6, np.all(np.diff(S) <= 1e-7))

# ----
import numpy as np
g = np.random.Generator(np.random.PCG64(5))
x = g.standard_normal(3)
g2 = np.random.Generator(np.random.PCG64(5))
print(np.array_equal(x, g2.standard_normal(3)))
state = g.bit_generator.state
a = g.random(4)
g.bit_generator.state = state
print(np.array_equal(a, g.random(4)))

# ----
import numpy as np
rng = np.random.default_rng(14)
def sample_without(p, k):
    return rng.choice(len(p), size=k, replace=False, p=p)
p = np.array([0.1, 0.2, 0.3, 0.4])
s = sample_without(p, 3)
print(len(set(s.tolist())) == 3)
names = ["ann", "bob", "cleo", "dan"]
print(rng.choice(names) in names, len(rng.choice(names, 2, replace=False)))

# ----
import numpy as np
rng = np.random.default_rng(15)
image = rng.integers(0, 256, size=(8, 8, 3), dtype=np.uint8)
noisy = np.clip(image + rng.normal(0, 10, image.shape), 0, 255).astype(np.uint8)
flip = rng.random() < 0.5
out = noisy[:, ::-1] if flip else noisy
top, left = rng.integers(0, 3), rng.integers(0, 3)
crop = out[top:top + 5, left:left + 5]
print(crop.shape, crop.dtype)

# ----
import numpy as np
from numpy.random import default_rng, Generator
def simulate(rng: Generator, n: int) -> float:
    arrivals = np.cumsum(rng.exponential(1.0, n))
    service = rng.gamma(2.0, 0.3, n)
    start = np.empty(n); end = 0.0
    wait = 0.0
    for i in range(n):
        s = max(arrivals[i], end)
        wait += s - arrivals[i]
        end = s + service[i]
    return float(wait / n)
print(0 < simulate(default_rng(3), 300) < 10)

# ----
import random
r = random.Random(7)
pts = [(r.uniform(-1, 1), r.uniform(-1, 1)) for _ in range(1000)]
print(sum(x * x + y * y <= 1 for x, y in pts))
print(r.choices(["a", "b", "c"], weights=[5, 3, 1], k=5), r.sample(range(100), 4), r.getrandbits(16), round(r.triangular(0, 10, 3), 6))
print(round(r.betavariate(2, 3), 9), round(r.expovariate(1.5), 9), r.randrange(0, 100, 7))
sr = random.SystemRandom()
print(0 <= sr.random() < 1, 1 <= sr.randint(1, 3) <= 3)
