/** The arguments of `add-skill` for a person: each file whole, with numbered lines. Pure. */
import { hash } from 'node:crypto';
import * as z from 'zod/mini';

const SkillArgs = z.strictObject({
  files: z.array(
    z.union([
      z.strictObject({ path: z.string(), text: z.string() }),
      z.strictObject({
        path: z.string(),
        sha256: z.string(),
        bytes: z.int(),
        isForMachine: z.optional(z.literal(true)),
      }),
    ]),
  ),
  trust: z.enum(['outside', 'owner']),
});
type SkillArgs = z.infer<typeof SkillArgs>;

const TRUST: Readonly<Record<SkillArgs['trust'], string>> = {
  outside: "outside: its words count as a stranger's, as data and not as yours",
  owner: 'owner: you vouch for exactly these bytes, and its words count as yours',
};

const fileLines = (file: SkillArgs['files'][number], show: (text: string) => string): readonly string[] => {
  if ('sha256' in file) {
    const { path, bytes, sha256, isForMachine } = file;
    const what = `File ${show(path)}, ${bytes} bytes, SHA-256 ${show(sha256)}`;
    return [
      isForMachine === true
        ? `${what}: for a machine, and nobody can read it here`
        : `${what}, as it is shown by: /skill file ${show(sha256)}`,
    ];
  }
  const head = `File ${show(file.path)}, ${Buffer.byteLength(file.text)} bytes, SHA-256 ${hash('sha256', file.text)}:`;
  return [head, ...file.text.split('\n').map((line, index) => `${String(index + 1).padStart(4)} | ${show(line)}`)];
};

/** @returns undefined for the arguments of any other tool */
export const describeSkill = (
  tool: string | undefined,
  args: unknown,
  show: (text: string) => string,
): readonly string[] | undefined => {
  const skill = tool === 'add-skill' ? SkillArgs.safeParse(args) : undefined;
  if (skill?.success !== true) return undefined;
  const { files, trust } = skill.data;
  return [`Trust: ${TRUST[trust]}`, ...files.flatMap((file) => fileLines(file, show))];
};
