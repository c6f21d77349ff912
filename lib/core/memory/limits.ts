/** Bounds that several files of this room share. */
import { KIB } from '../base/limits.ts';

/** Levels of one tree: outlines of people have ten. It also bounds how far one change re-hashes. */
export const MEMORY_DEPTH_MAX = 32;
/** Entries of one node before a bucket takes some: its item stays under 40 KB. */
export const MEMORY_CHILDREN_MAX = 256;
/** Requests that carry one tree: eight megabytes of file, which Act reads at once. */
export const MEMORY_TREE_PARTS_MAX = 32;
/** Title of one object, as of a heading in an outline. */
export const MEMORY_TITLE_CHARS_MAX = 1_000;
/** Tags of one object, with those an import brings. */
export const MEMORY_OBJECT_TAGS_MAX = 256;
/** Properties of one object, and entries of one property. */
export const MEMORY_PROPERTIES_MAX = 256;
/** Name of a property. */
export const MEMORY_PROPERTY_NAME_CHARS_MAX = 128;
/** Text of a property. */
export const MEMORY_PROPERTY_CHARS_MAX = 4 * KIB;
/** Links of one object. */
export const MEMORY_LINKS_MAX = 64;
/** One link: longer addresses are seldom kept. */
export const MEMORY_LINK_CHARS_MAX = 2 * KIB;
/** A key is a hash or a short id from a file or buffer. */
export const MEMORY_KEY_CHARS_MAX = 256;
/** A tag, or the state of a task: one word. */
export const MEMORY_TAG_CHARS_MAX = 64;
