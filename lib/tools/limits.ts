/** Bounds that the files of `lib/tools` share: a name ends in its unit, a comment gives the reason for the number. */
import { KIB } from '../base/limits.ts';

/** Memory of the sandbox's engine: beside it Act has to fit into the smallest function. */
export const SCRIPT_MEMORY_BYTES_MAX = 16 * 1024 * KIB;
export const MCP_TOOLS_MAX = 24;
