/**
 * Notes the model may see: none that is marked private, by its tags or in its text, and none below one that is
 * (`lib/text/privacy-tags.ts`, `lib/text/privacy-subtree.ts`). Pure.
 */
import { findPrivateNodes, type TreeNode } from './privacy-subtree.ts';
import { hasPrivateTag, isPrivateText } from './privacy-tags.ts';

/** What is looked at of a memory object. */
export interface Marked {
  readonly id: string;
  readonly parentId?: string | undefined;
  readonly children?: readonly { readonly id: string }[] | undefined;
  readonly attributes: { readonly tags: readonly string[]; readonly title?: string | undefined };
  readonly content: string;
}

/** Whether the object itself carries a private mark. */
export const isMarkedPrivate = ({ attributes, content }: Marked, extraTags: readonly string[]): boolean =>
  hasPrivateTag(attributes.tags, extraTags) ||
  isPrivateText(attributes.title ?? '', extraTags) ||
  isPrivateText(content, extraTags);

const nodeOf = (object: Marked, extraTags: readonly string[]): TreeNode => ({
  id: object.id,
  parentId: object.parentId,
  children: object.children,
  isPrivate: isMarkedPrivate(object, extraTags),
});

/**
 * @param extraTags privacy tags of the space, beside `personal`.
 * @param ancestors of the objects, all up to the roots: an object with an ancestor that is not given is left out.
 */
export const withoutPrivate = <T extends Marked>(
  objects: readonly T[],
  extraTags: readonly string[] = [],
  ancestors: readonly Marked[] = [],
): readonly T[] => {
  const { hidden } = findPrivateNodes([...objects, ...ancestors].map((object) => nodeOf(object, extraTags)));
  return objects.filter(({ id }) => !hidden.has(id));
};
