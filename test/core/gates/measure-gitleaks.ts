/**
 * Compares the gate `secret-formats` with the rules of gitleaks, which are not in this repository:
 *
 *     node test/core/gates/measure-gitleaks.ts <checkout of gitleaks> [--list]
 *
 * A Go program (1.18 or later, without a network) runs their generators, with stand-ins for the
 * packages around them, and prints the samples that each rule must find and must not. The figures
 * are in `lib/core/gates/README.md`; it exits 1 above 2 %.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { findSecretFormat } from '../../../lib/core/gates/rules/secret-formats.ts';
import { reply } from './samples.ts';

const PATH = 'github.com/zricethezav/gitleaks/v8';
const GENERATE = 'cmd/generate/config';
/** What they find is the public name of an application, no secret. */
const PUBLIC_IDS = ['asana-client-id', 'discord-client-id', 'linkedin-client-id', 'sumologic-access-id'];
/** Of a random value that another name calls a token: only a rule of one vendor may let it pass. */
const OF_ONE_VENDOR = 'nonMatchingToken';
const SHARE_MAX = 0.02;

/** Keeps the samples, and leaves out what another rule takes for a secret. */
const VALIDATE = `package utils
import ("encoding/json";"math";"os";"strings";"${PATH}/config")
type seen struct { rule config.Rule; tps, fps []string }
var all []seen
func Validate(rule config.Rule, tps []string, fps []string) *config.Rule { all = append(all, seen{rule, tps, fps}); return &rule }
func ValidateWithPaths(rule config.Rule, tps map[string]string, fps map[string]string) *config.Rule {
 var a, b []string
 for _, v := range tps { a = append(a, v) }
 for _, v := range fps { b = append(b, v) }
 return Validate(rule, a, b)
}
func entropy(s string) (e float64) {
 n := map[rune]float64{}
 for _, c := range s { n[c]++ }
 for _, k := range n { p := k / float64(len(s)); e -= p * math.Log2(p) }
 return
}
func finds(r config.Rule, text string) bool {
 if r.Regex == nil || r.Path != nil { return false }
 low, has := strings.ToLower(text), len(r.Keywords) == 0
 for _, k := range r.Keywords { has = has || strings.Contains(low, strings.ToLower(k)) }
 if !has { return false }
 next: for _, m := range r.Regex.FindAllStringSubmatch(text, -1) {
  secret := m[0]
  if r.SecretGroup > 0 { secret = m[r.SecretGroup] } else { for _, g := range m[1:] { if g != "" { secret = g; break } } }
  if r.Entropy > 0 && entropy(secret) <= r.Entropy { continue }
  for _, a := range r.Allowlists {
   target := secret
   if a.RegexTarget == "match" { target = m[0] } else if a.RegexTarget == "line" { target = text }
   for _, x := range a.Regexes { if x.MatchString(target) { continue next } }
   if has, _ := a.ContainsStopWord(secret); has { continue next }
  }
  return true
 }
 return false
}
func Finish() {
 for _, one := range all {
  honest := []string{}
  for _, f := range one.fps { by := false; for _, o := range all { by = by || finds(o.rule, f) }; if !by { honest = append(honest, f) } }
  json.NewEncoder(os.Stdout).Encode(map[string]any{"id": one.rule.RuleID, "tps": one.tps, "fps": honest})
 }
}
`;

/** Makes a text that a regular expression matches, always the same ones. */
const SECRETS = `package secrets
import ("math/rand";"regexp/syntax";"strings")
var r = rand.New(rand.NewSource(7))
func gen(b *strings.Builder, e *syntax.Regexp) {
 switch e.Op {
 case syntax.OpLiteral: for _, c := range e.Rune { b.WriteRune(c) }
 case syntax.OpCharClass:
  n := 0
  for i := 0; i < len(e.Rune); i += 2 { n += int(e.Rune[i+1]-e.Rune[i]) + 1 }
  k := r.Intn(n)
  for i := 0; i < len(e.Rune); i += 2 { w := int(e.Rune[i+1]-e.Rune[i]) + 1; if k < w { b.WriteRune(e.Rune[i]+rune(k)); break }; k -= w }
 case syntax.OpAnyChar, syntax.OpAnyCharNotNL: b.WriteByte(byte('a'+r.Intn(26)))
 case syntax.OpConcat, syntax.OpCapture: for _, s := range e.Sub { gen(b, s) }
 case syntax.OpAlternate: gen(b, e.Sub[r.Intn(len(e.Sub))])
 case syntax.OpStar: for i := r.Intn(3); i > 0; i-- { gen(b, e.Sub[0]) }
 case syntax.OpPlus: for i := r.Intn(3)+1; i > 0; i-- { gen(b, e.Sub[0]) }
 case syntax.OpQuest: if r.Intn(2) == 0 { gen(b, e.Sub[0]) }
 case syntax.OpRepeat: max := e.Max; if max < 0 { max = e.Min + 2 }; for i := e.Min + r.Intn(max-e.Min+1); i > 0; i-- { gen(b, e.Sub[0]) }
 }
}
func NewSecret(p string) string { e, err := syntax.Parse(p, syntax.Perl); if err != nil { panic(err) }; var b strings.Builder; gen(&b, e); return b.String() }
`;

const CONFIG = `package config
import ("strings"; "${PATH}/regexp")
func (a *Allowlist) ContainsStopWord(s string) (bool, string) { for _, w := range a.StopWords { if strings.Contains(strings.ToLower(s), strings.ToLower(w)) { return true, w } }; return false, "" }
type AllowlistMatchCondition int
const (AllowlistMatchOr AllowlistMatchCondition = iota; AllowlistMatchAnd)
type Allowlist struct { Description string; MatchCondition AllowlistMatchCondition; Commits []string; Paths, Regexes []*regexp.Regexp; RegexTarget string; StopWords []string }
type Required struct { RuleID string; WithinLines, WithinColumns *int }
type Rule struct { RuleID, Description string; Entropy float64; SecretGroup int; Regex, Path *regexp.Regexp; Tags, Keywords []string; Allowlists []*Allowlist; RequiredRules []*Required; SkipReport bool }
type Config struct { Title, Description string; Allowlists []*Allowlist; Rules map[string]Rule }
`;

const Sample = z.object({ id: z.string(), tps: z.nullable(z.array(z.string())), fps: z.nullable(z.array(z.string())) });

const buildSamples = (checkout: string): readonly z.infer<typeof Sample>[] => {
  const folder = mkdtempSync(join(tmpdir(), 'gitleaks-'));
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  };
  write('go.mod', `module ${PATH}\ngo 1.18\n`);
  write(`${GENERATE}/utils/validate.go`, VALIDATE);
  write('cmd/generate/secrets/regen.go', SECRETS);
  write('config/config.go', CONFIG);
  write(
    'regexp/regexp.go',
    'package regexp\nimport "regexp"\ntype Regexp = regexp.Regexp\nvar MustCompile = regexp.MustCompile\n',
  );
  for (const room of ['base', 'rules', 'utils']) mkdirSync(join(folder, GENERATE, room), { recursive: true });
  const rules = readdirSync(join(checkout, GENERATE, 'rules')).filter((file) => !file.endsWith('_test.go'));
  for (const file of [
    ...rules.map((rule) => `rules/${rule}`),
    'utils/generate.go',
    'utils/patterns.go',
    'base/config.go',
  ])
    copyFileSync(join(checkout, GENERATE, file), join(folder, GENERATE, file));
  const main = readFileSync(join(checkout, GENERATE, 'main.go'), 'utf8');
  const calls = new Set([...main.matchAll(/\brules\.\w+\(\)/g)].map(([call]) => call));
  write(
    'run/main.go',
    `package main\nimport "${PATH}/${GENERATE}/rules"\nimport "${PATH}/${GENERATE}/utils"\nfunc main() {\n${[...calls].join('\n')}\nutils.Finish()\n}\n`,
  );
  const env = { ...process.env, GOFLAGS: '-mod=mod', GOPROXY: 'off' };
  const ran = spawnSync('go', ['run', './run'], { cwd: folder, env, encoding: 'utf8', maxBuffer: 1 << 28 });
  rmSync(folder, { recursive: true, force: true });
  if (ran.status !== 0) throw new Error(ran.stderr || String(ran.error));
  return ran.stdout
    .trim()
    .split('\n')
    .map((line) => Sample.parse(JSON.parse(line)));
};

const isFound = (text: string): boolean => findSecretFormat(reply({ text })) !== undefined;
const share = (part: readonly string[], whole: readonly string[]): string =>
  `${part.length} of ${whole.length} (${((100 * part.length) / whole.length).toFixed(1)} %)`;

const [checkout = '', list] = process.argv.slice(2);
const samples = buildSamples(checkout);
const secrets = samples.filter(({ id }) => !PUBLIC_IDS.includes(id)).flatMap(({ tps }) => tps ?? []);
const honest = samples.flatMap(({ fps }) => fps ?? []).filter((text) => !text.includes(OF_ONE_VENDOR));
const missed = secrets.filter((text) => !isFound(text));
const refused = honest.filter(isFound);
process.stdout.write(`missed ${share(missed, secrets)}, wrongly refused ${share(refused, honest)}\n`);
if (list === '--list') for (const text of [...missed, ...refused]) process.stdout.write(`${JSON.stringify(text)}\n`);
if (missed.length > SHARE_MAX * secrets.length || refused.length > SHARE_MAX * honest.length) process.exitCode = 1;
