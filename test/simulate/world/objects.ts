/** The store of files: objects by bucket and key, as S3 keeps them. */
import type { WireAnswer } from '../types.ts';

export interface Objects {
  /** @param body JSON with `Bucket`, `Key` and, in base64, `Body` */
  readonly run: (action: string, body: string) => WireAnswer;
}

export const buildObjects = (): Objects => {
  const objects = new Map<string, string>();
  return {
    run: (action, body) => {
      const { Bucket, Key, Body }: Readonly<Record<string, string>> = JSON.parse(body);
      const name = `${Bucket}/${Key}`;
      const found = objects.get(name) ?? '';
      if (action === 'PutObject') objects.set(name, Body ?? '');
      if (action === 'DeleteObject') objects.delete(name);
      const isMissing = action === 'GetObject' && found === '';
      return { status: isMissing ? 404 : 200, headers: {}, body: action === 'GetObject' ? found : '' };
    },
  };
};
