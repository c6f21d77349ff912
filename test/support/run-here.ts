/** The command `passepartout` in the test's own process: the same words in, the same texts out. */
import { PassThrough } from 'node:stream';
import { type MainInput, runMain } from '../../infra/cli/main.ts';

export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

interface Words extends Pick<MainInput, 'words' | 'env' | 'folder' | 'features'> {
  /** Standard input. */
  readonly input: string;
}

/** @returns also both texts in the order they were written, as a terminal shows them */
export const runHere = async ({ input, ...main }: Words): Promise<Ran & { readonly both: string }> => {
  const texts = { out: '', err: '', both: '' };
  const streamOf = (name: 'out' | 'err') =>
    new PassThrough().setEncoding('utf8').on('data', (chunk) => {
      texts[name] += chunk;
      texts.both += chunk;
    });
  const [output, errors] = [streamOf('out'), streamOf('err')];
  const ended = [output, errors].map((stream) => new Promise((resolve) => stream.once('end', resolve)));
  const code = await runMain({
    ...main,
    input: new PassThrough().end(input) as unknown as NodeJS.ReadStream,
    output: output as unknown as NodeJS.WriteStream,
    errors: errors as unknown as NodeJS.WriteStream,
  });
  for (const stream of [output, errors]) stream.end();
  await Promise.all(ended);
  return { code, ...texts };
};
