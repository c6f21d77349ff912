/** The oldest Node that runs this project: Lambda's own, which runs TypeScript directly. */
export const NODE_MAJOR_MIN = 24;
