/** Finds the notes that a tool does not show. Loaded with the first use. */
import type { LiveObject, MemoryObject } from '../memory/object.ts';
import type { Objects } from '../memory/read.ts';
import { buildInScope, type Viewpoint } from '../memory/scope.ts';
import { isMarkedPrivate } from '../text/privacy.ts';
import type { ToolContext } from './tool.ts';

/** The conversation of a call, and the object it looks at. */
const viewpointOf = async ({ session = '', records }: ToolContext): Promise<Viewpoint> => ({
  session,
  focus: await records.loadFocus(session),
});

type Load = (id: string) => Promise<MemoryObject | undefined>;

const isOpen = async (load: Load, object: MemoryObject, privacyTags: readonly string[]): Promise<boolean> => {
  for (let one: MemoryObject | undefined = object; one !== undefined; ) {
    if (one.state === 'live' && isMarkedPrivate(one, privacyTags)) return false;
    one = one.parentId === undefined ? undefined : await load(one.parentId);
  }
  return true;
};

/** Those that the model may name: neither they nor anything above them is marked private. */
export const loadOpenNotes = async (
  load: Load,
  ids: readonly string[],
  privacyTags: readonly string[],
): Promise<Objects> => {
  const notes = new Map<string, MemoryObject>();
  for (const id of ids) {
    const object = await load(id);
    if (object !== undefined && (await isOpen(load, object, privacyTags))) notes.set(id, object);
  }
  return notes;
};

export const loadIsHidden = async (context: ToolContext): Promise<(object: LiveObject) => boolean> => {
  const { memory, privacyTags = [] } = context;
  const inScope = buildInScope((await memory.view()).objects, await viewpointOf(context));
  return (object) => object.type === 'summary' || !inScope(object) || isMarkedPrivate(object, privacyTags);
};
