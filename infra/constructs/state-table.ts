/**
 * The one table. A role gets exactly the actions and kinds of item that its row of the function
 * table names: never a scan, a wildcard, another kind or another space.
 */
import { RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, Billing, ProjectionType, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { type IRole, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { FunctionSpec, IndexName, Kind } from '../function-spec.ts';

const READ_ACTIONS = ['dynamodb:BatchGetItem', 'dynamodb:GetItem', 'dynamodb:Query'];
const WRITE_ACTIONS = ['dynamodb:ConditionCheckItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem'];

export interface StateTableProps {
  readonly space: string;
  readonly isProduction: boolean;
}

export class StateTable extends Construct {
  readonly table: TableV2;
  private readonly space: string;

  constructor(scope: Construct, id: string, props: StateTableProps) {
    super(scope, id);
    this.space = props.space;
    this.table = new TableV2(this, 'Table', {
      partitionKey: { name: 'pk', type: AttributeType.STRING },
      sortKey: { name: 'sk', type: AttributeType.STRING },
      billing: Billing.onDemand(),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      timeToLiveAttribute: 'expiresAt',
      globalSecondaryIndexes: [keysOnlyIndex('unfinished'), keysOnlyIndex('feed')],
      removalPolicy: props.isProduction ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
      deletionProtection: props.isProduction,
    });
  }

  /** Gives a role what its function may do, and no more: nothing if it reads nothing. */
  grant(role: IRole, spec: FunctionSpec): void {
    if (spec.reads.length === 0) return;
    const { tableArn } = this.table;
    role.addToPrincipalPolicy(this.statement(READ_ACTIONS, [tableArn], ['data', ...spec.reads]));
    role.addToPrincipalPolicy(this.statement(WRITE_ACTIONS, [tableArn], spec.writes));
    if (spec.indexes.length > 0) {
      const indexArns = spec.indexes.map((name) => `${tableArn}/index/${name}`);
      role.addToPrincipalPolicy(this.statement(['dynamodb:Query'], indexArns, spec.indexes));
    }
  }

  private statement(actions: string[], resources: string[], prefixes: readonly (Kind | IndexName)[]): PolicyStatement {
    return new PolicyStatement({
      actions,
      resources,
      conditions: {
        'ForAllValues:StringLike': {
          'dynamodb:LeadingKeys': prefixes.flatMap((prefix) => [
            `${prefix}#${this.space}`,
            `${prefix}#${this.space}#*`,
          ]),
        },
        // ForAllValues also holds for a request without any key; this line refuses that one.
        Null: { 'dynamodb:LeadingKeys': 'false' },
      },
    });
  }
}

const keysOnlyIndex = (name: IndexName) => ({
  indexName: name,
  partitionKey: { name: `${name}Space`, type: AttributeType.STRING },
  sortKey: { name: `${name}At`, type: AttributeType.NUMBER },
  projectionType: ProjectionType.KEYS_ONLY,
});
