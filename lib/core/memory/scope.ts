/**
 * The scope of a note says where it is found. `memex`: everywhere. `session`: in its conversation,
 * which a property names. `project`: while the focus is in its project, the nearest one at or above
 * the note. A note is found only where everything above it is. Pure.
 */
import { type LiveObject, type MemoryObject, SESSION_PROPERTY } from './object.ts';
import { ancestorsOf } from './outline.ts';
import { isProject } from './project.ts';
import type { Objects } from './read.ts';

/** Session of an object; without one, nobody's. */
export const sessionOf = ({ attributes }: LiveObject): string | undefined => {
  const session = attributes.properties?.[SESSION_PROPERTY];
  return typeof session === 'string' ? session : undefined;
};

export interface Viewpoint {
  readonly session?: string | undefined;
  /** The object that the conversation looks at. */
  readonly focus?: string | undefined;
}

const isLiveProject = (object: MemoryObject): boolean => object.state === 'live' && isProject(object.attributes);

/** An object and all above it, nearest first. */
const lineOf = (objects: Objects, id: string): readonly MemoryObject[] => {
  const object = objects.get(id);
  return object === undefined ? [] : [object, ...ancestorsOf(objects, object)];
};

/** Ids of the projects at or above an object, nearest first. */
export const projectsAbove = (objects: Objects, id: string): readonly string[] =>
  lineOf(objects, id)
    .filter(isLiveProject)
    .map((object) => object.id);

/** Says whether an object is found from the viewpoint. */
export const buildInScope = (objects: Objects, { session, focus }: Viewpoint): ((object: LiveObject) => boolean) => {
  const open = new Set(focus === undefined ? [] : projectsAbove(objects, focus));
  const isFound = (object: LiveObject): boolean => {
    switch (object.scope) {
      case 'memex':
        return true;
      case 'session':
        return session !== undefined && sessionOf(object) === session;
      case 'project': {
        const [project] = projectsAbove(objects, object.id);
        return project !== undefined && open.has(project);
      }
      default:
        return object.scope satisfies never;
    }
  };
  return ({ id }) => lineOf(objects, id).every((object) => object.state !== 'live' || isFound(object));
};
