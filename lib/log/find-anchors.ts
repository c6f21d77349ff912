/** Where a function keeps anchors: a folder on this machine, or a bucket; told by its environment. */
import { type Anchors, buildFileAnchors } from './anchor.ts';
import { buildBucketAnchors } from './anchor-bucket.ts';

export const findAnchors = (env: {
  readonly SPACE: string;
  readonly ANCHOR_DIR?: string | undefined;
  readonly ANCHOR_BUCKET?: string | undefined;
}): Anchors | undefined => {
  if (env.ANCHOR_DIR !== undefined && env.ANCHOR_DIR !== '') return buildFileAnchors(env.ANCHOR_DIR, env.SPACE);
  if (env.ANCHOR_BUCKET !== undefined && env.ANCHOR_BUCKET !== '')
    return buildBucketAnchors(env.ANCHOR_BUCKET, env.SPACE);
  return undefined;
};
