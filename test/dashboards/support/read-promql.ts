import { parser } from '@prometheus-io/lezer-promql';

export interface Matcher {
  readonly label: string;
  readonly operator: string;
  readonly value: string;
}

/** One selector, and what it stands in. */
export interface Selector {
  readonly metric: string | undefined;
  readonly matchers: readonly Matcher[];
  /** The innermost function around it. */
  readonly call: string | undefined;
  /** As written between the brackets. */
  readonly range: string | undefined;
}

export interface Reading {
  /** Where it cannot be read: the text from there on. */
  readonly errors: readonly string[];
  readonly selectors: readonly Selector[];
  /** Every label that it names, in a selector or to group or join by. */
  readonly labels: readonly string[];
}

/** What Grafana puts in before it asks; variables inside quotes may stay. */
const filledIn = (expr: string): string =>
  expr.replaceAll('$__rate_interval', '5m').replaceAll('$__range', '1h').replaceAll('$__interval', '1m');

type Node = ReturnType<typeof parser.parse>['topNode'];

const children = (node: Node, name: string): readonly Node[] => node.getChildren(name);

function ancestor(node: Node, ...names: readonly string[]): Node | undefined {
  for (let up = node.parent; up !== null; up = up.parent) if (names.includes(up.name)) return up;
  return undefined;
}

export function readPromql(expr: string): Reading {
  const text = filledIn(expr);
  const textOf = (node: Node): string => text.slice(node.from, node.to);
  const errors: string[] = [];
  const selectors: Selector[] = [];
  const labels: string[] = [];
  parser.parse(text).iterate({
    enter({ node }) {
      if (node.type.isError) errors.push(text.slice(node.from, node.from + 40));
      if (node.name === 'LabelName') labels.push(textOf(node));
      if (node.name !== 'VectorSelector') return;
      const name = node.getChild('Identifier');
      const matrix = ancestor(node, 'MatrixSelector');
      const duration = matrix?.getChild('DurationExpr');
      const call = ancestor(node, 'FunctionCall')?.getChild('FunctionIdentifier');
      selectors.push({
        metric: name === null ? undefined : textOf(name),
        matchers: children(node, 'LabelMatchers').flatMap((all) =>
          children(all, 'UnquotedLabelMatcher').map((one) => {
            const [label, operator, value] = ['LabelName', 'MatchOp', 'StringLiteral'].map((part) => {
              const child = one.getChild(part);
              return child === null ? '' : textOf(child);
            });
            return { label: label ?? '', operator: operator ?? '', value: (value ?? '').slice(1, -1) };
          }),
        ),
        call: call ? textOf(call) : undefined,
        range: duration ? textOf(duration) : undefined,
      });
    },
  });
  return { errors, selectors, labels };
}
