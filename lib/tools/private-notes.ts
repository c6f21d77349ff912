/** Notes the model may see: those whose tags and text are not marked private (`lib/gates/privacy-tags.ts`). Pure. */
import { hasPrivateTag, isPrivateText } from '../gates/privacy-tags.ts';
import type { LiveObject } from '../memory/object.ts';

/** @param extraTags privacy tags of the space, beside `personal`. */
export const withoutPrivate = (
  objects: readonly LiveObject[],
  extraTags: readonly string[] = [],
): readonly LiveObject[] =>
  objects.filter(
    ({ attributes, content }) => !hasPrivateTag(attributes.tags, extraTags) && !isPrivateText(content, extraTags),
  );
