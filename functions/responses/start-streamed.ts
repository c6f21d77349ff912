/** Type of the door that writes its answers while it runs; what it needs of this function. */
import type { HttpResponse } from '../../lib/core/http/function-url.ts';

/** Takes an answer: its head, then its body in pieces. */
export interface Out {
  readonly begin: (head: Pick<HttpResponse, 'statusCode' | 'headers'>) => (text: string) => void;
}

export type StartStreamed = (deps: {
  /** ARN of the console's alias. */
  readonly console: string;
  /** The page's address, which a deployed stack alone knows. */
  readonly page: string | undefined;
  /** Logs a failure that was not raised on purpose. */
  readonly report: (error: unknown) => void;
}) => (event: unknown, out: Out) => Promise<void>;
