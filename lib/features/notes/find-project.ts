/** Finds the owner's projects in memory: all that are active, or one by its title or id. Pure. */
import { ProtocolError } from '../../core/base/errors.ts';
import type { LiveObject } from '../../core/memory/object.ts';
import { byNewest, visibleOf } from '../../core/memory/outline.ts';
import { isActiveProject } from '../../core/memory/project.ts';
import type { Objects } from '../../core/memory/read.ts';
import { titleOf } from '../../core/memory/rollback.ts';
import { caseless } from '../../core/text/canonical-text.ts';
import { shortId } from './memory-lines.ts';
import type { NoteTexts } from './texts.ts';

type IsHidden = (object: LiveObject) => boolean;

/** Newest first. */
export const activeProjects = (objects: Objects, isHidden: IsHidden): readonly LiveObject[] =>
  visibleOf(objects, isHidden)
    .filter(({ attributes, type }) => type !== 'summary' && isActiveProject(attributes))
    .sort(byNewest);

/** Fewer characters of an id are too easily a word of a title. */
const ID_START = /^[0-9a-f]{6,32}$/;

const plain = (text: string): string => caseless(text).replace(/\s+/gu, ' ').trim();

/** The active project of this title, or its beginning, or that of its id. @throws ProtocolError */
export const findProject = (
  objects: Objects,
  isHidden: IsHidden,
  name: string,
  say: NoteTexts,
  otherwise = say.noProject,
): LiveObject => {
  const active = activeProjects(objects, isHidden);
  const wanted = plain(name);
  const exact = active.filter((project) => plain(titleOf(project)) === wanted);
  const begun = active.filter((project) => plain(titleOf(project)).startsWith(wanted));
  const byId = ID_START.test(wanted) ? active.filter(({ id }) => id.startsWith(wanted)) : [];
  const found = [byId, exact, begun].find(({ length }) => length > 0) ?? [];
  const [only] = found;
  if (only === undefined) throw new ProtocolError(otherwise);
  if (found.length === 1) return only;
  throw new ProtocolError(say.severalProjects(found.length, found.map(({ id }) => shortId(id)).join(', ')));
};
