/** Bounds that the files of `lib/memory` share: a name ends in its unit, a comment gives the reason for the number. */
import { KIB } from '../base/limits.ts';

/** Levels of one tree: outlines of people have ten; also bounds what one change re-hashes. */
export const MEMORY_DEPTH_MAX = 32;
/** Entries of one node before some go into a bucket: its item stays under 40 KB. */
export const MEMORY_CHILDREN_MAX = 256;
/** Requests that carry one tree: eight megabytes of file, read by Act at once. */
export const MEMORY_TREE_PARTS_MAX = 32;
/** Titles, tags, properties and links of one object: what a heading of an outline has (the bounds of notes). */
export const MEMORY_TITLE_CHARS_MAX = 1_000;
export const MEMORY_OBJECT_TAGS_MAX = 256;
export const MEMORY_PROPERTIES_MAX = 256;
export const MEMORY_PROPERTY_NAME_CHARS_MAX = 128;
export const MEMORY_PROPERTY_CHARS_MAX = 4 * KIB;
export const MEMORY_LINKS_MAX = 64;
export const MEMORY_LINK_CHARS_MAX = 2 * KIB;
/** What names a node in the file or buffer it came from: a hash or a short id. */
export const MEMORY_KEY_CHARS_MAX = 256;
export const MEMORY_TAG_CHARS_MAX = 64;
