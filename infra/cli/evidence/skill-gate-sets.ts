/**
 * The gate sets with gates of skills that a stack or an export has stored, made again from their
 * content and code: a decision made under one replays, also after the skill was changed or removed.
 * A set of another release's fixed gates, or one whose code is missing, is left out.
 */
import { hashOf } from '../../../lib/base/canonical.ts';
import { buildGateSet, type GateSet } from '../../../lib/gates/engine/build-gate-set.ts';
import { ALSO_REPLAYED, GATE_SET } from '../../../lib/gates/engine/gate-set.ts';
import type { GateSetContent } from '../../../lib/gates/engine/gate-set-content.ts';
import type { LogSource } from '../../../lib/log/source.ts';
import { loadSandbox, type Sandbox } from '../../../lib/sandbox/sandbox.ts';
import { rebuildSkillGate, splitContent } from '../../../lib/skills/skill-gates.ts';

const rebuild = (sandbox: Sandbox, content: GateSetContent, code: ReadonlyMap<string, string>): GateSet | undefined => {
  const { fixed, ofSkills } = splitContent(content);
  const version = hashOf('gate-set', fixed);
  if (version !== GATE_SET.version && !ALSO_REPLAYED.has(version)) return undefined;
  const gates = ofSkills.map((entry) => rebuildSkillGate(sandbox, entry, (sha256) => code.get(sha256)));
  return gates.every((gate) => gate !== undefined) ? buildGateSet([...GATE_SET.gates, ...gates]) : undefined;
};

/** @param code by its SHA-256 @returns the sets by their versions */
export const rebuildSkillGateSets = async (
  contents: readonly GateSetContent[],
  code: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, GateSet>> => {
  const withSkills = contents.filter((content) => splitContent(content).ofSkills.length > 0);
  if (withSkills.length === 0) return new Map();
  const sandbox = await loadSandbox();
  return new Map(
    withSkills.flatMap((content) => {
      const gateSet = rebuild(sandbox, content, code);
      return gateSet === undefined ? [] : [[hashOf('gate-set', content), gateSet]];
    }),
  );
};

export const loadSkillGateSets = async (
  source: Pick<LogSource, 'gateSets' | 'gateCode'>,
): Promise<ReadonlyMap<string, GateSet>> => {
  const contents = await source.gateSets();
  const named = new Set(contents.flatMap(({ gates }) => gates.flatMap(([, , , sha256]) => sha256 ?? [])));
  const code = new Map<string, string>();
  for (const sha256 of named) {
    const text = await source.gateCode(sha256);
    if (text !== undefined) code.set(sha256, text);
  }
  return rebuildSkillGateSets(contents, code);
};
