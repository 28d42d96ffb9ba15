import * as v from 'valibot';

const Answer = v.object({
  data: v.object({
    result: v.array(v.object({ metric: v.record(v.string(), v.string()), value: v.tuple([v.number(), v.string()]) })),
  }),
});

export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** An instant query. */
export async function query(url: string, promql: string): Promise<readonly Sample[]> {
  const response = await fetch(`${url}/api/v1/query?${new URLSearchParams({ query: promql })}`);
  const text = await response.text();
  if (!response.ok) throw new Error(`${promql}: ${text}`);
  return v
    .parse(Answer, JSON.parse(text))
    .data.result.map(({ metric, value: [, value] }) => ({ labels: metric, value: Number(value) }));
}

/**
 * The whole of a counter, summed over the processes of a service: the highest value that each series had. Series of
 * 0 that were only set up to exist are left out.
 * @param by labels to tell apart; the keys are their values, joined by a blank
 */
export async function totals(
  url: string,
  { metric, job, by = [] }: { readonly metric: string; readonly job: string; readonly by?: readonly string[] },
): Promise<Readonly<Record<string, number>>> {
  const samples = await query(url, `sum by (${by.join(', ')}) (max_over_time(${metric}{job="${job}"}[1h])) > 0`);
  return Object.fromEntries(
    samples.map(({ labels, value }) => [by.map((name) => labels[name] ?? '').join(' '), value]),
  );
}

const Alerts = v.array(
  v.object({
    labels: v.record(v.string(), v.string()),
    annotations: v.record(v.string(), v.string()),
    status: v.object({ state: v.string(), inhibitedBy: v.array(v.string()) }),
  }),
);

/** Alerts that Alertmanager holds for a service. */
export async function alertsOf(alertmanager: string, job: string) {
  const filter = new URLSearchParams({ filter: `job="${job}"` });
  const response = await fetch(`${alertmanager}/api/v2/alerts?${filter}`);
  return v.parse(Alerts, await response.json());
}
