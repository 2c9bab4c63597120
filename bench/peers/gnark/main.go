// gnark-crypto on BN254: wall and user CPU of sums over G1 and G2 and of a transform. Usage: gnarkbench THREADS
// msm|msm_g1|msm_g2|fft LOG...
package main

import (
	"fmt"
	"math/big"
	"os"
	"runtime"
	"sort"
	"strconv"
	"syscall"
	"time"

	"github.com/consensys/gnark-crypto/ecc"
	"github.com/consensys/gnark-crypto/ecc/bn254"
	"github.com/consensys/gnark-crypto/ecc/bn254/fr"
	"github.com/consensys/gnark-crypto/ecc/bn254/fr/fft"
)

func cpu() float64 {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return float64(u.Utime.Sec) + float64(u.Utime.Usec)*1e-6
}

// Runs of at least half a second; the median of five.
func measure(name string, log int, f func()) {
	t := time.Now()
	f()
	repeat := 1 + int(0.5/time.Since(t).Seconds())
	var w, c []float64
	for i := 0; i < 5; i++ {
		t, u := time.Now(), cpu()
		for j := 0; j < repeat; j++ {
			f()
		}
		w = append(w, time.Since(t).Seconds()/float64(repeat))
		c = append(c, (cpu()-u)/float64(repeat))
	}
	sort.Float64s(w)
	sort.Float64s(c)
	fmt.Printf("%-8s 2^%-3d wall %.6f s  cpu %.6f s\n", name, log, w[2], c[2])
}

// Points between which sums do not coincide by chance: first[i / 512] + second[i % 512], multiples of the
// generator by random scalars; an addition each, and one inversion for all.
func pointsG1(n int) []bn254.G1Affine {
	g, _, _, _ := bn254.Generators()
	multiple := func() bn254.G1Jac {
		var s fr.Element
		var k big.Int
		s.SetRandom()
		var p bn254.G1Jac
		p.ScalarMultiplication(&g, s.BigInt(&k))
		return p
	}
	second := make([]bn254.G1Affine, 512)
	for i := range second {
		p := multiple()
		second[i].FromJacobian(&p)
	}
	sums := make([]bn254.G1Jac, n)
	var first bn254.G1Jac
	for i := range sums {
		if i%512 == 0 {
			first = multiple()
		}
		sums[i] = first
		sums[i].AddMixed(&second[i%512])
	}
	return bn254.BatchJacobianToAffineG1(sums)
}

func pointsG2(n int) []bn254.G2Affine {
	_, g, _, _ := bn254.Generators()
	multiple := func() bn254.G2Jac {
		var s fr.Element
		var k big.Int
		s.SetRandom()
		var p bn254.G2Jac
		p.ScalarMultiplication(&g, s.BigInt(&k))
		return p
	}
	second := make([]bn254.G2Affine, 512)
	for i := range second {
		p := multiple()
		second[i].FromJacobian(&p)
	}
	points := make([]bn254.G2Affine, n)
	var first bn254.G2Jac
	for i := range points {
		if i%512 == 0 {
			first = multiple()
		}
		sum := first
		sum.AddMixed(&second[i%512])
		points[i].FromJacobian(&sum)
	}
	return points
}

func main() {
	threads, _ := strconv.Atoi(os.Args[1])
	runtime.GOMAXPROCS(threads)
	what := os.Args[2]
	for _, a := range os.Args[3:] {
		log, _ := strconv.Atoi(a)
		n := 1 << log
		s := make([]fr.Element, n)
		for i := range s {
			s[i].SetRandom()
		}
		cfg := ecc.MultiExpConfig{NbTasks: threads}
		if what == "msm" || what == "msm_g1" {
			p := pointsG1(n)
			measure("msm_g1", log, func() { var r bn254.G1Jac; r.MultiExp(p, s, cfg) })
		}
		if what == "msm" || what == "msm_g2" {
			p := pointsG2(n)
			measure("msm_g2", log, func() { var r bn254.G2Jac; r.MultiExp(p, s, cfg) })
		}
		if what == "fft" {
			d := fft.NewDomain(uint64(n))
			measure("fft", log, func() { d.FFT(s, fft.DIF, fft.WithNbTasks(threads)) })
		}
	}
}
