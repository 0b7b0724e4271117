export interface Page {
  name: string;
  /** Whether the page is in the middle of a list: it is reported without a limit. */
  isDeep?: boolean;
  path(turn: number): string;
}

/** Ids and totals for the requests. */
export interface Known {
  attempts: readonly string[];
  quizzes: readonly string[];
  totals: { participants: number; outbox: number; audit: number };
}

const ROWS = 10;
const SORTS = [
  'startedAt',
  'submittedAt',
  'userEmail',
  'quizTitle',
  'score',
  'status',
  'timeSpent',
  'violationCount',
];

/** Pages whose response time must not grow with the rows. */
export function flatPages(known: Known): Page[] {
  return [
    { name: 'participants, first page', path: () => `/api/participants?limit=${ROWS}` },
    {
      name: 'participant record',
      path: (turn) => `/api/participants/${pick(known.attempts, turn)}/record`,
    },
  ];
}

/** Every list, the dashboard and the record. */
export function allPages(known: Known): Page[] {
  const { totals } = known;
  const page = (name: string, path: string | ((turn: number) => string)): Page => ({
    name,
    path: typeof path === 'string' ? () => path : path,
  });
  const list = (name: string, query: string | ((turn: number) => string)) =>
    page(`participants, ${name}`, (turn) => {
      const more = typeof query === 'string' ? query : query(turn);
      return `/api/participants?limit=${ROWS}&${more}`;
    });
  const deep = (one: Page): Page => ({ ...one, isDeep: true });
  const last = (total: number) => `offset=${Math.floor((total - 1) / ROWS) * ROWS}`;
  const middle = (total: number) => `offset=${Math.floor(total / 2 / ROWS) * ROWS}`;
  const quiz = (turn: number) => pick(known.quizzes, turn);
  const end = (turn: number) => (pick(known.attempts, turn) ?? '').slice(-8);
  const number = (value: number, digits: number) => String(value).padStart(digits, '0');
  return [
    ...flatPages(known),
    list('page 2', `offset=${ROWS}`),
    page('participants, 100 rows', '/api/participants?limit=100'),
    ...SORTS.flatMap((sort) => [
      list(`by ${sort} asc`, `sort=${sort}&order=asc`),
      list(`by ${sort} desc`, `sort=${sort}&order=desc`),
      deep(list(`by ${sort}, page in the middle`, `sort=${sort}&${middle(totals.participants)}`)),
      list(`by ${sort}, last page`, `sort=${sort}&${last(totals.participants)}`),
    ]),
    list('of one assessment', (turn) => `quizId=${quiz(turn)}`),
    list('of one assessment, by score', (turn) => `quizId=${quiz(turn)}&sort=score&order=desc`),
    ...['completed', 'dismissed', 'in_progress'].map((one) => list(one, `status=${one}`)),
    list('completed, by score', 'status=completed&sort=score&order=desc'),
    list('completed, last page', `status=completed&${last(totals.participants * 0.94)}`),
    list(
      'search for an address',
      (turn) => `search=candidate-${number((turn * 3571) % 40_000, 5)}`,
    ),
    list('search for part of an address', (turn) => `search=e-${number((turn * 71) % 1_000, 3)}`),
    list('search for the end of an id', (turn) => `search=${end(turn)}`),
    list('search for a text that matches nothing', (turn) => `search=no-match-${turn}`),
    list('search for a text that matches everything', 'search=example.org'),
    page('dashboard figures', '/api/stats'),
    page('charts, 30 days', '/api/stats/charts?days=30'),
    page('charts, 366 days', '/api/stats/charts?days=366'),
    page('charts of one assessment', (turn) => `/api/stats/charts?days=366&quizId=${quiz(turn)}`),
    page('assessments', '/api/quizzes'),
    page(
      'invitations of one assessment',
      (turn) => `/api/quizzes/${quiz(turn)}/invitations?limit=${ROWS}`,
    ),
    page(
      'invitations, search',
      (turn) => `/api/quizzes/${quiz(turn)}/invitations?limit=${ROWS}&search=e-${turn}`,
    ),
    ...(['outbox', 'audit'] as const).flatMap((name) => {
      const path = `/api/${name}?limit=${ROWS}`;
      const label = name === 'audit' ? 'audit log' : name;
      return [
        page(`${label}, first page`, path),
        deep(page(`${label}, page in the middle`, `${path}&${middle(totals[name])}`)),
        page(`${label}, last page`, `${path}&${last(totals[name])}`),
      ];
    }),
    page('audit log, search', (turn) => `/api/audit?limit=${ROWS}&search=${end(turn)}`),
  ];
}

/** A different item each turn, spread over all. */
function pick<T>(items: readonly T[], turn: number): T | undefined {
  return items[(turn * 7_919) % items.length];
}
