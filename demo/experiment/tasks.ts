import { readFileSync } from 'node:fs';

/** A tool of a domain, as the model is told of it. */
interface ToolText {
  readonly name: string;
  readonly description: string;
}

interface Domain {
  readonly search: ToolText;
  readonly inspect: ToolText;
  readonly settle: ToolText;
  /** Parameters of the search: `price_eur_at_most`. */
  readonly filters: readonly string[];
}

type Attributes = Readonly<Record<string, number | string>>;

/** One thing that can be chosen: what the search lists of it, and what only a look into it tells. */
export interface Offer {
  readonly id: string;
  readonly listed: Attributes;
  readonly details: Attributes;
}

export interface Task {
  readonly id: string;
  readonly domain: string;
  readonly prompt: string;
  /** In the order in which the search lists them. */
  readonly options: readonly Offer[];
  /** The known good outcome: id of the option to settle on. */
  readonly outcome: string;
}

interface TaskData {
  readonly domains: Readonly<Record<string, Domain>>;
  readonly tasks: readonly Task[];
}

const DATA: TaskData = JSON.parse(readFileSync(new URL('tasks.json', import.meta.url), 'utf8'));

export const TASKS = DATA.tasks;

export function domainOf({ domain }: Task): Domain {
  const found = DATA.domains[domain];
  if (found === undefined) throw new Error(`tasks.json: there is no domain ${domain}`);
  return found;
}
