import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  nameOf,
  type PersonColumn,
  readPeople,
  recognizeColumns,
  rowsAboveHead,
} from './people.ts';
import { peopleRows } from './people-text.ts';

const cellsOf = (text: string) => text.split('\n').map((line) => line.split('\t'));

describe('columns of a list of people', () => {
  it.each([
    [
      'Email\tFirst name\tLast name\tStudent ID\tClass',
      'email givenName familyName externalId groups',
    ],
    ['Nachname\tVorname\tE-Mail-Adresse\tMatrikelnummer', 'familyName givenName email externalId'],
    ['Nom\tPrénom\tCourriel\tTiers temps', 'familyName givenName email extraTime'],
    ['Name\tE-mail\tExtra time %\tRemarks', 'name email extraTime ignored'],
    ['Name\tVorname\tE-Mail', 'familyName givenName email'],
    ['Group\tEmail\tGroup', 'groups email groups'],
    ['Email\tE-mail', 'email ignored'],
    // A column that only counts, or has the ids of a program, gives way to the number.
    ['No\tStudent no.\tName\tE-Mail', 'ignored externalId name email'],
    ['Student\tID\tSIS User ID\tSIS Login ID', 'name ignored externalId email'],
    ['Nr\tName\tE-Mail', 'externalId name email'],
    ['SIS Login ID\tEmail\tID', 'ignored email externalId'],
    ['Email\tOpens\tEnds\tMinutes', 'email opensAt endDate minutes'],
    ['E-Mail\tÖffnet\tEnde\tDauer (Minuten)', 'email opensAt endDate minutes'],
    ['Courriel\tOuverture\tFin\tDurée', 'email opensAt endDate minutes'],
    ['电子邮件\t开放时间\t结束时间\t时长', 'email opensAt endDate minutes'],
  ])('are known by their heads: %s', (head, columns) => {
    const { columns: found, hasHead } = recognizeColumns(cellsOf(`${head}\na@b.org\tx\ty\tz\tq`));
    expect(found.slice(0, columns.split(' ').length).join(' ')).toBe(columns);
    expect(hasHead).toBe(true);
  });

  it('knows a column of family names by the given names that most of it lacks', () => {
    const columnsOf = (text: string) => recognizeColumns(cellsOf(text)).columns.join(' ');
    const rows = 'Müller\tJan\nHansen\tHans\nNur ein Name\t\nPeter Hans\tHans';
    expect(columnsOf(`Name\tVorname\n${rows}`)).toBe('familyName givenName');
    expect(columnsOf('Name\tVorname\nJan Müller\tJan\nHansen\tHans')).toBe('name givenName');
  });

  it.each([
    [
      'ada@example.org\tAda Lovelace\tS-1001\tA\nalan@example.org\tAlan Turing\tS-1002\tB\ngrace@example.org\tGrace Hopper\tS-1003\tA\nkurt@example.org\tKurt Gödel\tS-1004\tB',
      'email name externalId groups',
    ],
    ['Lovelace, Ada\tada@example.org\nTuring, Alan\talan@example.org', 'name email'],
    [
      'Ada\tLovelace\tada@example.org\t25 %\nAlan\tTuring\talan@example.org\t',
      'givenName familyName email extraTime',
    ],
    ['ada@example.org', 'email'],
    ['山田 太郎\ttaro@example.org\n佐藤 花子\thanako@example.org', 'name email'],
  ])('are known by what is in them: %#', (text, columns) => {
    expect(recognizeColumns(cellsOf(text))).toEqual({
      columns: columns.split(' '),
      hasHead: false,
    });
  });

  it('never name a column twice but groups, whatever is in a list', () => {
    const cell = fc.oneof(
      fc.constantFrom('a@b.org', '12345', 'Ada', 'Email', 'Group', '5 %'),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(fc.array(cell, { maxLength: 6 }), { maxLength: 8 }), (rows) => {
        const { columns } = recognizeColumns(rows);
        const named = columns.filter((column) => column !== 'groups' && column !== 'ignored');
        expect(new Set(named).size).toBe(named.length);
        for (const { person } of readPeople(rows, columns)) {
          expect(person.groups).not.toContain('');
          expect(person.extraTime).not.toBeNaN();
        }
      }),
    );
  });
});

const cellsIn = (text: string) => peopleRows(text).map(({ cells }) => cells);

describe('a row', () => {
  const read = (columns: PersonColumn[], ...row: string[]) => readPeople([row], columns)[0];

  it.each([
    ['Ada Lovelace', 'Ada', 'Lovelace'],
    ['Lovelace, Ada', 'Ada', 'Lovelace'],
    ['  Ludwig   van  Beethoven ', 'Ludwig van', 'Beethoven'],
    ['Sukarno', 'Sukarno', ''],
    ['山田太郎', '山田太郎', ''],
    ['Μαρία Παπαδοπούλου', 'Μαρία', 'Παπαδοπούλου'],
    ['Анна Ахматова', 'Анна', 'Ахматова'],
    ['محمد عبد الله', 'محمد عبد', 'الله'],
    ['דוד כהן', 'דוד', 'כהן'],
    ['नरेन्द्र मोदी', 'नरेन्द्र', 'मोदी'],
    ['สมชาย ใจดี', 'สมชาย', 'ใจดี'],
    ['김 민수', '민수', '김'],
    ['王 小明', '小明', '王'],
    ['欧阳 小红', '小红', '欧阳'],
    ['佐藤\u3000花子', '花子', '佐藤'],
    ['남궁 민수', '민수', '남궁'],
    ['タロウ ヤマダ', 'タロウ', 'ヤマダ'],
    ['Anna Berg, PhD', 'Anna', 'Berg PhD'],
    ['Martin Lee Stone, Jr.', 'Martin Lee', 'Stone Jr.'],
    ['Stone, Martin Lee, Jr.', 'Martin Lee', 'Stone Jr.'],
    ['Martin Lee Stone Jr.', 'Martin Lee', 'Stone Jr.'],
    ['Anna Berg, M.A. PhD', 'Anna', 'Berg M.A. PhD'],
    ['Dr Anna Berg, BSc (Hons)', 'Dr Anna', 'Berg BSc (Hons)'],
    ['Anna Berg BEng (Hons)', 'Anna', 'Berg BEng (Hons)'],
    ['Li, Ma', 'Ma', 'Li'],
    ['عبد الله، محمد', 'محمد', 'عبد الله'],
    ['佐藤，花子', '花子', '佐藤'],
    ['Dr. Weiß, Jürgen', 'Dr. Jürgen', 'Weiß'],
    ['Weiß, Jürgen, Dr.', 'Dr. Jürgen', 'Weiß'],
    ['Prof. Dr. med. Weiß, Jürgen, PhD', 'Prof. Dr. med. Jürgen', 'Weiß PhD'],
    ['Dr. Jürgen Weiß', 'Dr. Jürgen', 'Weiß'],
    ['Herr, Michael', 'Michael', 'Herr'],
    ['Drake, Frank', 'Frank', 'Drake'],
    ['Նարե Սարգսյան', 'Նարե', 'Սարգսյան'],
    ['ნინო ბერიძე', 'ნინო', 'ბერიძე'],
  ])('has the parts of the name %s', (name, givenName, familyName) => {
    const found = read(['email', 'name'], 'a@b.org', name);
    expect(found).toMatchObject({ person: { givenName, familyName }, problems: [] });
  });

  it('has what its columns say', () => {
    const columns: PersonColumn[] = [
      ...(['email', 'givenName', 'familyName', 'externalId', 'groups', 'groups'] as const),
      ...(['language', 'extraTime', 'ignored'] as const),
    ];
    const row = ['A@b.org', 'Ada', '', ' S1 ', 'x; y', 'y', 'en-GB', '33,5 %', 'no'];
    expect(read(columns, ...row)).toEqual({
      person: {
        ...{ email: 'A@b.org', givenName: 'Ada', familyName: '', externalId: 'S1' },
        ...{ groups: ['x', 'y'], language: 'en-GB', fields: {}, extraTime: 33.5 },
      },
      problems: [],
    });
    // An empty cell says nothing about the time, a 0 that there is none.
    expect(read(['email', 'extraTime'], 'a@b.org', '')?.person).not.toHaveProperty('extraTime');
    expect(read(['email', 'extraTime'], 'a@b.org', '0')?.person).toHaveProperty('extraTime', 0);
  });

  it('has the times of its person in the zone of the list, and an empty cell says nothing', () => {
    const columns: PersonColumn[] = ['email', 'opensAt', 'endDate', 'minutes'];
    const timed = (...row: string[]) => readPeople([row], columns, [], 'Europe/Berlin')[0];
    const row = ['a@b.org', '14.05.2026 10:00', '2026-05-14 12:00', '90 min'];
    expect(timed(...row)).toMatchObject({
      person: {
        ...{ opensAt: '2026-05-14T08:00:00.000Z', endDate: '2026-05-14T10:00:00.000Z' },
        minutes: 90,
      },
      problems: [],
    });
    const empty = timed('a@b.org', '', '', '');
    expect(empty?.problems).toEqual([]);
    for (const column of columns.slice(1)) expect(empty?.person).not.toHaveProperty(column);
    // A list that is not read for an assessment has no times.
    expect(readPeople([row], columns)[0]?.person).not.toHaveProperty('minutes');
    const problemsOf = (...cells: string[]) => timed('a@b.org', ...cells)?.problems;
    expect(problemsOf('tomorrow', '5/6/2026 9:00', '90.5')).toEqual([
      { column: 'opensAt', problem: { code: 'not_time' } },
      { column: 'endDate', problem: { code: 'day_or_month' } },
      { column: 'minutes', problem: { code: 'not_minutes' } },
    ]);
    expect(problemsOf('2026-05-14 12:00', '2026-05-14 12:00', '181')).toEqual([
      { column: 'opensAt', problem: { code: 'opens_too_late' } },
      { column: 'minutes', problem: { code: 'not_minutes' } },
    ]);
    expect(problemsOf('2026-03-29 02:30', '', '')).toMatchObject([
      { problem: { code: 'skipped_time' } },
    ]);
  });

  it.each([
    ['an address that is none', ['email'], ['a@b'], 'email'],
    ['neither address nor number', ['givenName'], ['Ada'], 'email'],
    ['time that is no percentage', ['email', 'extraTime'], ['a@b.org', 'half'], 'extraTime'],
    ['too much time', ['email', 'extraTime'], ['a@b.org', '901'], 'extraTime'],
    ['time that may be a factor', ['email', 'extraTime'], ['a@b.org', '1.5'], 'extraTime'],
    ['time that may be a share', ['email', 'extraTime'], ['a@b.org', '0,25'], 'extraTime'],
    ['less time', ['email', 'extraTimeFactor'], ['a@b.org', '0.5'], 'extraTimeFactor'],
    ['a shortened number', ['email', 'externalId'], ['a@b.org', '1,23457E+11'], 'externalId'],
    ['a language that is none', ['email', 'language'], ['a@b.org', 'English!'], 'language'],
    ['a name that turns the text', ['email', 'name'], ['a@b.org', 'A\u202eda'], 'name'],
    ['an invisible group', ['email', 'groups'], ['a@b.org', '2A;2\u200bB'], 'groups'],
    ['a long name', ['email', 'givenName'], ['a@b.org', 'x'.repeat(201)], 'givenName'],
  ] as const)('says what is wrong: %s', (_, columns, row, column) => {
    expect(read([...columns], ...row)?.problems.map((problem) => problem.column)).toEqual([column]);
  });

  it.each([
    ['extraTimeFactor', '1.5', 50],
    ['extraTimeFactor', '1,333', 33.3],
    ['extraTimeFactor', '1', 0],
    ['extraTime', '1.5 %', 1.5],
    ['extraTime', '25', 25],
  ] as const)('has the extra time of %s %s', (column, cell, extraTime) => {
    expect(read(['email', column], 'a@b.org', cell)).toMatchObject({
      person: { extraTime },
      problems: [],
    });
  });

  it('that is empty is no one', () => {
    expect(readPeople([['', ' '], []], ['email', 'name'])).toEqual([]);
    expect(nameOf({ givenName: '', familyName: 'X' })).toBe('X');
    expect(nameOf({ givenName: '小明', familyName: '王' })).toBe('王小明');
    expect(nameOf({ givenName: 'Xiaoming', familyName: '王' })).toBe('Xiaoming 王');
  });
});

describe('a list as it comes', () => {
  const read = (text: string) => {
    const all = cellsIn(text);
    const rows = all.slice(rowsAboveHead(all));
    const { columns, hasHead } = recognizeColumns(rows);
    return {
      columns,
      hasHead,
      rows: rows.length,
      people: readPeople(rows.slice(hasHead ? 1 : 0), columns),
    };
  };

  it.each([
    ['Exam roster, summer term;;\nName;E-Mail;Seminar group\nAnna Bauer;a@x.org;A'],
    ['sep=;\nName;E-Mail;Seminar group\nAnna Bauer;a@x.org;A'],
    ['Teilnehmerliste WS 2026;;\n;;\nName;E-Mail;Gruppe\nAnna Bauer;a@x.org;A'],
    ['Naam;E-mail;Groep\nAnna Bauer;a@x.org;A'],
    ['Naam;Levélcím;Groep\nAnna Bauer;a@x.org;A'],
  ])('has its heads below titles: %j', (text) => {
    const { columns, people } = read(text);
    expect(columns).toEqual(['name', 'email', 'groups']);
    expect(people.map(({ person }) => person.givenName)).toEqual(['Anna']);
  });

  it.each([
    ['Email,Nome,Sobrenome,Matrícula', ['email', 'givenName', 'familyName', 'externalId']],
    [
      'First Name(s),Surname(s),Student ID Number,SIS Login ID',
      ['givenName', 'familyName', 'externalId', 'email'],
    ],
    ['SID,Name,Email', ['externalId', 'name', 'email']],
    ['Фамилия,Имя,Почта', ['familyName', 'givenName', 'email']],
    ['Soyadı,Adı,E-posta', ['familyName', 'givenName', 'email']],
    ['姓,名,邮箱', ['familyName', 'givenName', 'email']],
  ])('knows the heads %s', (head, columns) => {
    expect(recognizeColumns(cellsIn(`${head}\n${columns.join()}`)).columns).toEqual(columns);
  });

  it('has a head row above addresses, in whatever language, and no person in it', () => {
    const { hasHead, people } = read('Teljes név,Levélcím\nAnna Bauer,a@x.org\nBo Li,b@x.org');
    expect([hasHead, people.length]).toEqual([true, 2]);
    const below = read('Jelenléti ív\nTeljes név,Levélcím\nAnna Bauer,a@x.org\nBo Li,b@x.org');
    expect([below.hasHead, below.people.length]).toEqual([true, 2]);
    // Who is known by a number alone is no head.
    expect(read('Anna Bauer,,1234\nBo Li,b@x.org,1235\nCy Young,c@x.org,1236').people).toHaveLength(
      3,
    );
  });

  it('takes rows that are only counted for no numbers of people', () => {
    const list = (head: string, numbers: readonly string[]) =>
      read([`${head},Email`, ...numbers.map((n) => `${n},p${n}@x.org`)].join('\n')).columns[0];
    for (const head of ['No.', 'Nr', 'ID', 'Number']) {
      expect(list(head, ['1', '2', '3'])).toBe('ignored');
      expect(list(head, ['1', '2', '4'])).toBe('externalId');
      expect(list(head, ['7001', '7002'])).toBe('externalId');
    }
    expect(list('Student ID', ['1', '2', '3'])).toBe('externalId');
  });

  it('has factors where all of a column are, and percentages where one is', () => {
    const list = (...cells: string[]) =>
      read(['Email,Extra time', ...cells.map((cell, i) => `p${i}@x.org,${cell}`)].join('\n'));
    const factors = list('1.25', '', '1.5', '2');
    expect(factors.columns).toEqual(['email', 'extraTimeFactor']);
    expect(factors.people.map(({ person }) => person.extraTime)).toEqual([25, undefined, 50, 100]);
    expect(list('25', '50').columns).toEqual(['email', 'extraTime']);
    expect(list('1.5', '25').people[0]?.problems).toEqual([
      { column: 'extraTime', problem: { code: 'factor_or_percent', typed: '1.5', percent: 50 } },
    ]);
  });
});
