/**
 * The gate sets that a stack or an export has stored, made again from their content and the code of
 * skills. A set with a gate that has changed since, or whose code is missing, is left out.
 */
import { hashOf } from '../../../lib/core/base/canonical.ts';
import { buildGateSet, type GateSet } from '../../../lib/core/gates/engine/build-gate-set.ts';
import { earlierGateSet } from '../../../lib/core/gates/engine/gate-set.ts';
import type { GateSetContent } from '../../../lib/core/gates/engine/gate-set-content.ts';
import type { LogSource } from '../../../lib/core/log/source.ts';
import { loadSandbox, type Sandbox } from '../../../lib/core/sandbox/sandbox.ts';
import { rebuildSkillGate, splitContent } from '../../../lib/features/skills/skill-gates.ts';

const rebuild = (
  sandbox: Sandbox | undefined,
  content: GateSetContent,
  code: ReadonlyMap<string, string>,
): GateSet | undefined => {
  const { fixed, ofSkills } = splitContent(content);
  const earlier = earlierGateSet(fixed);
  if (earlier === undefined || sandbox === undefined) return earlier;
  const gates = ofSkills.map((entry) => rebuildSkillGate(sandbox, entry, (sha256) => code.get(sha256)));
  return gates.every((gate) => gate !== undefined) ? buildGateSet([...earlier.gates, ...gates], []) : undefined;
};

/** @param code by its SHA-256 @returns the sets by their versions */
export const rebuildSkillGateSets = async (
  contents: readonly GateSetContent[],
  code: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, GateSet>> => {
  const hasSkills = contents.some((content) => splitContent(content).ofSkills.length > 0);
  const sandbox = hasSkills ? await loadSandbox() : undefined;
  return new Map(
    contents.flatMap((content) => {
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
