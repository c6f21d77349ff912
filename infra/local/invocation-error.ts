/** Why an invocation failed, in Lambda's terms; the callers decide what a failure means (a retry, a 502). */
import { PassepartoutError } from '../../lib/base/errors.ts';

/** The handler threw, its environment crashed or could not start, or it overran its timeout. */
export class InvocationError extends PassepartoutError {
  override readonly name: string = 'InvocationError';
  readonly functionName: string;
  readonly outcome: 'failed' | 'crashed' | 'timed-out' | 'stopped' | 'overloaded';
  constructor(functionName: string, outcome: InvocationError['outcome'], detail: string) {
    super(`${functionName} ${outcome}: ${detail}`, true);
    this.functionName = functionName;
    this.outcome = outcome;
  }
}
