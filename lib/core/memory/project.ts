/** Projects: objects tagged `project`. One is active until its state says that it ended. Pure. */

const ENDED: ReadonlySet<string> = new Set(['DONE', 'CANCELLED', 'CANCELED', 'CLOSED']);

export const PROJECT_TAG = 'project';
/** State of a new project, and of one that ended well. */
export const PROJECT_OPEN = 'TODO';
export const PROJECT_DONE = 'DONE';

interface Tagged {
  readonly tags: readonly string[];
  readonly todo?: string | undefined;
}

export const isProject = ({ tags }: Pick<Tagged, 'tags'>): boolean =>
  tags.some(
    (tag) =>
      tag
        .trim()
        .replace(/^:+|:+$/g, '')
        .toLowerCase() === PROJECT_TAG,
  );

/** Tagged `project` and not done. */
export const isActiveProject = (object: Tagged): boolean =>
  isProject(object) && !(object.todo !== undefined && ENDED.has(object.todo.toUpperCase()));
