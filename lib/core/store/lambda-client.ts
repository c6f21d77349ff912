/** A client that runs other functions. It comes with Lambda's runtime. */
import { LambdaClient } from '@aws-sdk/client-lambda';

export const openLambda = (): LambdaClient => new LambdaClient({ maxAttempts: 2 });
