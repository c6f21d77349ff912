/** Type of the door that serves programs; what it needs of this function. */
import type { HttpResponse } from '../../lib/core/http/function-url.ts';
import type { Feature } from '../../lib/core/operations/feature.ts';

export type StartDoor = (deps: {
  readonly features: readonly Feature[];
  /** ARN of the console's alias. */
  readonly console: string;
  /** The page's address, which a deployed stack alone knows. */
  readonly page: string | undefined;
  /** Logs a failure that was not raised on purpose. */
  readonly report: (error: unknown) => void;
}) => (event: unknown) => Promise<HttpResponse>;
