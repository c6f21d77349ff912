/** Performs `remember`. Loaded only then, because every function knows the tool. */
import { ProtocolError } from '../base/errors.ts';
import { MEMORY_TAGS_MAX } from '../base/limits.ts';
import { projectsAbove } from '../memory/scope.ts';
import { joinOrigins } from '../signal/signal.ts';
import type { RememberArgs } from './remember.ts';
import type { ToolContext, ToolOutput } from './tool.ts';

/** Tag of a note for somebody without the owner's rights. */
export const FROM_MEMBER = 'from-a-member';

type Place = Pick<RememberArgs, 'scope' | 'project'>;

/** @throws ProtocolError if there is no such project */
const placeOf = async ({ scope, project }: Place, { memory, origin }: ToolContext): Promise<Place> => {
  if (scope !== 'project') return { scope };
  if (origin === 'outside') return {};
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

export const storeNote = async (
  { text, tags = [], ...wanted }: RememberArgs,
  context: ToolContext,
): Promise<ToolOutput> => {
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
};
