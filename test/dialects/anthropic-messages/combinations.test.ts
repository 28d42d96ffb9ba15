import { describe, it } from 'vitest';
import { assistant, type Block, call, om, red, res, seal, th, thought, tx, user } from './blocks.ts';
import { check } from './check.ts';
import { all, drop, type Edit, message, noThinking, put, set, splice } from './edits.ts';
import { closedLoop, openLoop } from './loops.ts';
import { CHECKED, KEEPS_ALL, LAST_TURN_ONLY, ON_BY_DEFAULT } from './models.ts';
import { talk } from './talk.ts';

/** Damage as adapters, gateways and stores do it, several rules at once. */

const one = (model = KEEPS_ALL) =>
  talk(model).user('Which crates are late today?').answer(th('a'), call('c1')).results('c1');
const redacted = () => talk(KEEPS_ALL).user('Go on.').answer(red('r'), th('a'), call('c1')).results('c1');

describe('a block that another block type carries', () => {
  it('redacted data as the seal of a thinking block: label and member differ at the same place', () =>
    check(
      redacted()
        .send(put('r', () => ({ type: 'thinking', thinking: '', signature: seal('r') })))
        .finds({ edited: 1 }),
    ));

  it('a thinking block under another type, its seal kept', () =>
    check(
      one()
        .send(put('a', (block) => ({ ...block, type: 'reasoning' })))
        .finds({ edited: 1 }),
    ));

  it('the seal alone, on the call', () =>
    check(
      one()
        .send(all(drop('a'), set('c1', { signature: seal('a') })))
        .finds({ misplaced: 1 }),
    ));

  it('the content array written out as text', () =>
    check(
      one()
        .send(put('a', (block) => tx(JSON.stringify([block]))))
        .finds({ converted_to_text: 1 }),
    ));
});

describe('what a request is refused for', () => {
  const LEADING = 'messages.3.content.0.type: Expected `thinking` or `redacted_thinking`, but found `text`.';

  it('a loss in a finished turn that the target no longer reads is a finding where the request is refused for it', () =>
    check(closedLoop(LAST_TURN_ONLY).send(noThinking).finds({ dropped: 2 }).fails(400, LEADING)));

  it('and a note again where it goes through', () =>
    check(
      closedLoop(LAST_TURN_ONLY)
        .send(noThinking)
        .finds({ dropped: 2 })
        .fails(400, LEADING)
        .send(noThinking)
        .notes({ dropped: 2 })
        .reply(tx('The blue one.')),
    ));

  it('a refusal for load is no refusal for it', () =>
    check(closedLoop(LAST_TURN_ONLY).send(noThinking).notes({ dropped: 2 }).fails(529, 'Overloaded')));
});

describe('stores and resumed histories', () => {
  it('a store that normalises every block it does not know', () =>
    check(
      talk(KEEPS_ALL)
        .user('Go on.')
        .answer(red('r'), om('e'), th('a'), tx('A look first.'), call('c1'))
        .results('c1')
        .send(
          all(
            drop('r', 'e'),
            set('a', { signature: undefined }),
            message(1, (blocks) => blocks.filter(({ type }) => type !== 'text')),
          ),
        )
        .finds({ dropped: 2, edited: 1 }),
    ));

  it('unsealed thinking in history that nobody saw issued is not judged', () =>
    check(
      talk(KEEPS_ALL)
        .append(user('Go on.'), assistant({ type: 'thinking', thinking: 'An old remark.' }, call('c0')))
        .results('c0')
        .send(),
    ));

  it('a resumed run whose first requests were seen before', () =>
    check(
      openLoop(KEEPS_ALL)
        .send()
        .fails(500, 'Internal server error')
        .edit((history) => JSON.parse(JSON.stringify(history)))
        .send()
        .reply(tx('Two crates are late.'))
        .user('Thanks.')
        .send(),
    ));

  it('resumed with the seals lost by the store', () =>
    check(
      openLoop(KEEPS_ALL)
        .edit((history) =>
          history.map((entry) => ({
            ...entry,
            content:
              typeof entry.content === 'string'
                ? entry.content
                : entry.content.map(({ signature, ...block }) => block as Block),
          })),
        )
        .send()
        .finds({ edited: 2 }),
    ));
});

describe('retries that append', () => {
  it('an answer appended twice', () =>
    check(
      talk(KEEPS_ALL)
        .user('Say hello.')
        .answer(th('a'), tx('Hello to the whole warehouse.'))
        .append(assistant(th('a'), tx('Hello to the whole warehouse.')))
        .user('Again.')
        .send()
        .finds({ duplicated: 1 }),
    ));

  it('a copy of an empty block is a copy of its unit only', () =>
    check(
      talk(CHECKED)
        .user('Go.')
        .answer(om('a'), om('b'), call('c1'))
        .results('c1')
        .send(put('b', (block) => [block, block]))
        .finds({ duplicated: 1 }),
    ));
});

describe('switches in the middle of damage', () => {
  it('at a downgrade the client strips a seal instead of the block: foreign comes before edited', () =>
    check(
      closedLoop(CHECKED)
        .send(set('a', { signature: undefined }), { model: KEEPS_ALL })
        .finds({ foreign: 2 }),
    ));

  it('a downgrade with one block left out and one kept', () =>
    check(openLoop(CHECKED).send(drop('a'), { model: KEEPS_ALL }).finds({ foreign: 1 })));

  it('a downgrade and thinking off by default there', () =>
    check(
      openLoop(CHECKED, { thinking: undefined }).send(noThinking, { model: KEEPS_ALL }).finds({ mode_toggled: 1 }),
    ));

  it('other blocks of the run are judged as ever after a switch', () =>
    check(
      closedLoop(ON_BY_DEFAULT)
        .with({ model: CHECKED })
        .answer(om('c'), call('c3'))
        .results('c3')
        .send(drop('b', 'c'))
        .finds({ dropped: 2 }),
    ));
});

describe('answers that end in the same words', () => {
  const alike = () =>
    talk(KEEPS_ALL)
      .user('Start.')
      .answer(th('a'), tx('OK.'))
      .user('Go on.')
      .answer(th('b'), tx('OK.'))
      .user('Go on.')
      .answer(th('c'), tx('OK.'))
      .user('Stop.');
  const asText = (name: string): Edit => put(name, () => tx(thought(name)));
  const unsealed = (name: string): Edit => set(name, { signature: undefined });

  it.each([
    ['one as text, a later one without its seal', all(asText('a'), unsealed('b')), { converted_to_text: 1, edited: 1 }],
    [
      'one as text, an earlier one without its seal',
      all(asText('b'), unsealed('a')),
      { converted_to_text: 1, edited: 1 },
    ],
    ['one as text, another gone', all(asText('a'), drop('b')), { converted_to_text: 1, dropped: 1 }],
    ['two gone', drop('a', 'c'), { dropped: 2 }],
    ['all without their seals', all(unsealed('a'), unsealed('b'), unsealed('c')), { edited: 3 }],
    ['all as text', all(asText('a'), asText('b'), asText('c')), { converted_to_text: 3 }],
    ['all gone', noThinking, { dropped: 3 }],
  ])('%s', (_name, edit, report) => check(alike().send(edit).finds(report)));

  it.each([
    ['without its seal', (name: string) => unsealed(name), { edited: 1 }],
    ['as text', (name: string) => asText(name), { converted_to_text: 1 }],
  ])(
    'behind a beginning from which an exchange was taken: the words of the block tell it, %s',
    (_name, damage, report) =>
      check(
        talk(KEEPS_ALL)
          .user('Start.')
          .answer(tx('A look at the yard first.'), call('c1'))
          .results('c1')
          .answer(th('a'), tx('OK.'))
          .user('Go on.')
          .answer(th('b'), call('c2'))
          .results('c2')
          .send(all(damage('a'), splice(1, 2)))
          .finds(report),
      ),
  );

  it('with loops in between', () =>
    check(
      talk(KEEPS_ALL)
        .user('Start.')
        .answer(th('a'), call('c1'))
        .results('c1')
        .answer(th('b'), tx('OK.'))
        .user('Go on.')
        .answer(call('c2'))
        .results('c2')
        .answer(th('c'), tx('OK.'))
        .user('Stop.')
        .answer(th('d'), call('c3'))
        .results('c3')
        .send(all(asText('b'), unsealed('c')))
        .finds({ converted_to_text: 1, edited: 1 }),
    ));
});

describe('results and calls', () => {
  it('a batch cut down to its first call, and its block dropped', () =>
    check(
      talk(KEEPS_ALL)
        .user('Compare.')
        .answer(th('a'), call('c1'), call('c2'))
        .results('c1', 'c2')
        .send(all(drop('a', 'c2'), splice(2, 1, user(res('c1')))))
        .finds({ dropped: 1 }),
    ));

  it('calls removed from two sealed answers', () =>
    check(
      talk(KEEPS_ALL)
        .user('Compare.')
        .answer(th('a'), call('c1'), call('c2'))
        .results('c1', 'c2')
        .answer(th('b'), call('d1'), call('d2'))
        .results('d1', 'd2')
        .send(all(drop('c2', 'd2'), splice(2, 1, user(res('c1'))), splice(4, 1, user(res('d1')))))
        .finds({ edited: 2 }),
    ));

  it('split results and a lost block', () =>
    check(
      talk(KEEPS_ALL)
        .user('Compare.')
        .answer(th('a'), call('c1'), call('c2'))
        .results('c1', 'c2')
        .send(all(drop('a'), splice(2, 1, user(res('c1')), user(res('c2')))))
        .finds({ dropped: 1, split_results: 1 }),
    ));

  it('a skipped call with an error result is whole', () =>
    check(
      talk(KEEPS_ALL)
        .user('Compare.')
        .answer(th('a'), call('c1'), call('c2'))
        .user(res('c1'), { ...res('c2', 'skipped'), is_error: true })
        .send(),
    ));

  it('a result as one text block is the result', () =>
    check(openLoop(CHECKED).send(message(2, () => [{ ...res('c1'), content: [tx('output of c1')] } as Block]))));
});

describe('gateways', () => {
  it('a hop that loses what the client sent faithfully: the egress request alone is damaged', () => {
    const CLIENT = { endpoint: 'gateway.example', leg: 'client' };
    const EGRESS = { endpoint: 'api.anthropic.com', leg: 'gateway' };
    const client = talk(KEEPS_ALL).target(CLIENT).user('Which crates are late?').send();
    const egress = client.fork().target(EGRESS).send();
    const answer = { model: KEEPS_ALL, stop_reason: 'tool_use', content: [th('a'), call('c1')] };
    egress.receive(answer, { answers: 1 });
    client.receive(answer, { answers: 0 });
    client
      .append(assistant(th('a'), call('c1')))
      .results('c1')
      .send();
    client.fork().target(EGRESS).send(noThinking).finds({ dropped: 1 });
    check(client);
  });

  it('seals lost on the way to the client, in a finished turn of a keep-all model', () =>
    check(
      talk(KEEPS_ALL)
        .target({ endpoint: 'gateway.example' })
        .user('When does the ship leave?')
        .answer({ type: 'thinking', thinking: 'Look at the tide tables.' }, tx('The ship leaves at nine.'))
        .user('And the next one?')
        .send()
        .finds({ unsigned_on_arrival: 1 }),
    ));

  it('a list of the provider about blocks that nobody saw issued still counts', () =>
    check(
      talk(CHECKED)
        .append(user('Go on.'), assistant(om('old'), call('c0')))
        .results('c0')
        .send()
        .finds({ prefix_broken: 1 })
        .carrying({
          input_transformations: [
            { type: 'thinking_dropped', path: 'messages.1.content.0', reason: 'prefix_binding_mismatch' },
          ],
        })
        .reply(tx('Done.')),
    ));
});

describe('long runs', () => {
  const run = (model: string, steps: number) => {
    const long = talk(model).user('Work through the list.');
    for (let step = 1; step <= steps; step += 1) {
      long.answer(th(`s${step}`), call(`c${step}`)).results(`c${step}`);
    }
    return long;
  };
  const everyOther: Edit = drop('s1', 's3', 's5', 's7');

  it('eight steps, every other block gone', () => check(run(KEEPS_ALL, 8).send(everyOther).finds({ dropped: 4 })));

  it('on a model that chains its blocks, what stands behind the first gap is broken', () =>
    check(run(CHECKED, 8).send(everyOther).finds({ dropped: 4, prefix_broken: 3 })));

  it('a sliding window over the loop', () => check(run(KEEPS_ALL, 8).send(splice(1, 8)).notes({ trimmed: 4 })));

  it('a sliding window over a loop of a model that checks', () =>
    check(run(CHECKED, 8).send(splice(1, 8)).finds({ trimmed: 4, prefix_broken: 4 })));

  it('old results cleared by the client, blocks kept', () =>
    check(run(KEEPS_ALL, 4).send(message(2, () => [res('c1', '[cleared]')]))));

  it('the same on a model that checks', () =>
    check(
      run(CHECKED, 4)
        .send(message(2, () => [res('c1', '[cleared]')]))
        .finds({ prefix_broken: 3 }),
    ));
});

describe('thinking that only looks damaged', () => {
  it('text equal to the reasoning, said by the model itself', () =>
    check(
      talk(KEEPS_ALL)
        .user('Think aloud.')
        .answer(th('a'), tx(thought('a')), call('c1'))
        .results('c1')
        .send(),
    ));

  it('the user quotes the reasoning', () =>
    check(
      one()
        .user(`You thought: ${thought('a')}`)
        .send(),
    ));

  it('a tool repeats the reasoning', () =>
    check(
      talk(KEEPS_ALL)
        .user('Think aloud.')
        .answer(th('a'), call('c1', { note: thought('a') }))
        .results('c1')
        .send(),
    ));

  it('a step without any thinking between two with', () =>
    check(
      talk(KEEPS_ALL)
        .user('Go.')
        .answer(th('a'), call('c1'))
        .results('c1')
        .answer(call('c2'))
        .results('c2')
        .answer(th('b'), call('c3'))
        .results('c3')
        .send(),
    ));
});
