/**
 * A picture as the result of reading it names it: the type, and the SHA-256 of its bytes, which lie
 * in the store of contents. Pure.
 */
export interface Picture {
  readonly type: string;
  readonly hash: string;
}

const PICTURE = /^\[a picture, image\/(png|jpeg|webp), ([0-9a-f]{64})\]$/;

export const pictureWords = ({ type, hash }: Picture): string => `[a picture, image/${type}, ${hash}]`;

export const pictureIn = (output: string): Picture | undefined => {
  const [, type, hash] = PICTURE.exec(output) ?? [];
  return type === undefined || hash === undefined ? undefined : { type, hash };
};
