/**
 * Stores a note for later; the same effect never stores two. A note made from outside text stays
 * `outside` for good (I13), and never joins a project by itself. A note for a member of a group
 * carries a tag that says so. The scope the conversation chose is filled in before the gates.
 */
import * as z from 'zod/mini';
import { ProtocolError } from '../base/errors.ts';
import { MEMORY_CONTENT_CHARS_MAX, MEMORY_TAGS_MAX } from '../base/limits.ts';
import { Attributes, MemoryId, MemoryScope } from '../memory/object-parts.ts';
import { joinOrigins } from '../signal/signal.ts';
import { defineTool, type ToolContext } from './tool.ts';

/** Tag of a note for somebody without the owner's rights. */
export const FROM_MEMBER = 'from-a-member';

const FIELDS = {
  text: z.string().check(z.regex(/\S/), z.maxLength(MEMORY_CONTENT_CHARS_MAX)),
  tags: z.optional(Attributes.shape.tags),
};

export const RememberArgs = z.strictObject({
  ...FIELDS,
  scope: z.optional(MemoryScope),
  /** Filled in for the scope `project`: the note hangs below it. */
  project: z.optional(MemoryId),
});
export type RememberArgs = z.infer<typeof RememberArgs>;

type Place = Pick<RememberArgs, 'scope' | 'project'>;

/** @throws ProtocolError if there is no such project */
const placeOf = async ({ scope, project }: Place, { memory, origin }: ToolContext): Promise<Place> => {
  if (scope !== 'project') return { scope };
  if (origin === 'outside') return {};
  const { projectsAbove } = await import('../memory/scope.ts');
  const { objects } = await memory.view();
  if (project === undefined || projectsAbove(objects, project).length === 0)
    throw new ProtocolError('no project is chosen to keep it in: /focus a project, then /scope project');
  return { scope, project };
};

const FOUND = {
  memex: '',
  session: ' It is found in this conversation only.',
  project: ' It is found in its project only.',
};

export const remember = defineTool({
  name: 'remember',
  description:
    'Keep a note for later conversations. Write it so that it can be understood alone; tags are single words to find it by.',
  args: RememberArgs,
  draft: z.strictObject(FIELDS),
  loadForm: async () => (await import('./note-forms.ts')).REMEMBER_FORM,
  tier: 'allow',
  kind: 'idempotent',
  outputOrigin: 'inputs',
  run: async ({ text, tags = [], ...wanted }, context) => {
    const { memory, origin, effectId, signalId, actor, now, newNonce, askedBy, session } = context;
    const marked = askedBy === 'member' ? [...new Set([FROM_MEMBER, ...tags])].slice(0, MEMORY_TAGS_MAX) : tags;
    const by = { origin, effectId, signalId, actor, now };
    const { scope = 'memex', project } = await placeOf(wanted, context);
    const place = { scope, session, parentId: project };
    const object = await memory.remember({ text, tags: marked, ...place, ...by, nonce: newNonce() });
    const output =
      object.state === 'live'
        ? `Remembered as ${object.id}.${FOUND[object.scope]}`
        : `Remembered as ${object.id}, and ${object.state} since.`;
    return { output, origin: joinOrigins(['agent', origin]) };
  },
});
