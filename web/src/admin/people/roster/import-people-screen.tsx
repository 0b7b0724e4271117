import { importPeople, type PersonOutcome } from '@invigil/core/contract/invitations/people';
import { PEOPLE_LIMITS } from '@invigil/core/domain/limits';
import { numberText } from '@invigil/core/domain/locale';
import { nameOf, type PersonRow } from '@invigil/core/domain/people';
import type { Encoding } from '@invigil/core/domain/text-encoding';
import { isolated } from '@invigil/core/domain/typed-text';
import { t } from '@invigil/core/texts/i18n';
import { rowText } from '@invigil/core/texts/people-rows';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import { decodeFile, encodingOptions } from '../../../lib/decode-file.ts';
import { callEndpoint } from '../../../net/api.ts';
import { Badge, type BadgeTone } from '../../../ui/badges/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { DiscardDialog } from '../../../ui/dialogs/dialog.tsx';
import { useUnsaved } from '../../../ui/dialogs/unsaved.ts';
import { Checkbox } from '../../../ui/fields/checkbox.tsx';
import { SelectField } from '../../../ui/fields/select-field.tsx';
import { TextArea } from '../../../ui/fields/text-area.tsx';
import { Card, PageHeader } from '../../../ui/page.tsx';
import { Pagination } from '../../../ui/tables/pagination.tsx';
import { toast } from '../../../ui/toast.ts';
import { usePersonFields } from '../../data/people.ts';
import { showFailure } from '../../data/show-failure.ts';
import { FilterSelect } from '../../list/filter-select.tsx';
import { BackLink } from '../../parts/links.tsx';
import { UploadDropZone } from '../../parts/upload-drop-zone.tsx';
import { CorrectionField } from '../sheet/correction-field.tsx';
import {
  columnOptions,
  inputOf,
  LIST_FILES,
  type ListFile,
  type PeopleSheet,
  peopleOf,
  readListFile,
  rememberColumns,
  sheetOf,
  whyNotRead,
  withCell,
  withNewAddress,
  withoutRows,
} from '../sheet/people-sheet.ts';
import { SheetReview } from '../sheet/sheet-review.tsx';
import { timeText } from './people-list.tsx';

const { rowsPerImport } = PEOPLE_LIMITS;

/** /admin/people/import: a list of people, reviewed row by row before anything is stored. */
export function ImportPeopleScreen() {
  const fields = usePersonFields();
  const [sheet, setSheet] = useState<PeopleSheet | null>(null);
  const [read, setRead] = useState<(Pick<ListFile, 'encoded'> & { sheet: PeopleSheet }) | null>(
    null,
  );
  const [asked, setAsked] = useState<Encoding | null>(null);
  useUnsaved(sheet !== null);
  const open = ({ text, encoded }: Pick<ListFile, 'text' | 'encoded'>) => {
    const found = sheetOf(text, fields);
    if (found.rows.length > rowsPerImport + 1) {
      const most = numberText(rowsPerImport);
      showFailure(
        t('people.import.tooLong', 'This list is too long'),
        t('people.import.most', 'At most {most} people at a time.', { most }),
      );
    } else if (found.rows.length > 0) {
      setSheet(found);
      setRead({ sheet: found, ...(encoded ? { encoded } : {}) });
    }
  };
  const encoded = read?.encoded;
  const readIn = (encoding: Encoding) => {
    setAsked(null);
    if (!encoded) return;
    const { bytes } = encoded;
    open({ text: decodeFile(bytes, encoding).text, encoded: { bytes, encoding } });
  };
  return (
    <>
      <BackLink to="/admin/people">{t('portal.people', 'People')}</BackLink>
      <PageHeader
        title={t(/* the title of a page */ 'people.import.title', 'Import people')}
        subtitle={t(
          /* said of an import */ 'people.import.subtitle',
          'Adds people, and changes those with the same email or number',
        )}
      />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        {sheet === null ? (
          <ListInput onList={open} />
        ) : (
          <>
            {encoded && (
              <SelectField
                className="max-w-88"
                label={t('people.list.encoding', 'Text encoding')}
                hint={t(
                  'people.list.encodingHint',
                  'If letters with accents look wrong, select another.',
                )}
                options={encodingOptions()}
                value={encoded.encoding}
                onChange={sheet === read?.sheet ? readIn : setAsked}
              />
            )}
            <ListReview sheet={sheet} onSheet={setSheet} />
          </>
        )}
      </div>
      <DiscardDialog
        open={asked !== null}
        onCancel={() => setAsked(null)}
        onConfirm={() => asked !== null && readIn(asked)}
      />
    </>
  );
}

function ListInput({ onList }: { onList(list: Pick<ListFile, 'text' | 'encoded'>): void }) {
  const [text, setText] = useState('');
  const read = async (file: File) => {
    try {
      const list = await readListFile(file);
      if (list.note !== null) toast(list.note);
      onList(list);
    } catch (error) {
      showFailure(t('people.list.unreadable', 'Cannot read this file'), whyNotRead(error));
    }
  };
  return (
    <>
      <UploadDropZone
        label={t('portal.selectFile', 'Select a file')}
        hint={t(
          'people.import.fileHint',
          'CSV or Excel (.xlsx), with a row per person. Names, email, number, groups and language are recognized. Nothing is stored before you confirm.',
        )}
        accept={LIST_FILES}
        onFile={(file) => void read(file)}
      />
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          onList({ text });
        }}
      >
        <TextArea
          label={t(/* goes on “Select a file” */ 'people.import.paste', 'Or paste a list')}
          rows={6}
          spellCheck={false}
          placeholder={[
            t(/* the head of a column in an example */ 'portal.email', 'Email'),
            t('people.import.example.givenName', 'First name'),
            t('people.import.example.familyName', 'Last name'),
            t('people.import.example.number', 'Student ID'),
            t(/* of people */ 'people.field.group', 'Group'),
          ].join('\t')}
          hint={t(
            /* said of a list */ 'people.import.pasteHint',
            'From Excel, a CSV file, or names with addresses from Outlook.',
          )}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onPaste={(event) => {
            const pasted = event.clipboardData.getData('text');
            if (text !== '' || !pasted.includes('\n')) return;
            event.preventDefault();
            onList({ text: pasted });
          }}
        />
        <div>
          <Button type="submit" aria-disabled={text.trim() === ''}>
            {t(/* a button */ 'people.import.read', 'Read the list')}
          </Button>
        </div>
      </form>
    </>
  );
}

const OUTCOMES = {
  added: ['ok', () => t(/* said of a person */ 'people.import.added', 'New')],
  changed: ['accent', () => t(/* said of a person */ 'people.import.changed', 'Changed')],
  unchanged: ['neutral', () => t(/* said of a person */ 'people.import.unchanged', 'Unchanged')],
  refused: ['bad', () => t(/* said of a row of a list */ 'people.import.refused', 'To correct')],
} as const satisfies Record<PersonOutcome['status'], readonly [BadgeTone, () => string]>;

function ListReview({
  sheet,
  onSheet,
}: {
  sheet: PeopleSheet;
  onSheet(sheet: PeopleSheet | null): void;
}) {
  const fields = usePersonFields();
  const client = useQueryClient();
  const navigate = useNavigate();
  const { people, problems } = useMemo(() => peopleOf(sheet, fields), [sheet, fields]);
  const [replacesGroups, setReplacesGroups] = useState(false);
  const send = useMutation({
    mutationFn: ({ of, dryRun }: { of: readonly PersonRow[]; dryRun: boolean }) =>
      callEndpoint(importPeople, { body: { people: of.map(inputOf), replacesGroups, dryRun } }),
  });
  /** The outcomes of a check, with the list that was checked. */
  const [checked, setChecked] = useState<{ of: PeopleSheet; outcomes: PersonOutcome[] } | null>(
    null,
  );
  const outcomes = checked?.of === sheet ? checked.outcomes : null;
  const check = async (of: PeopleSheet, rows: readonly PersonRow[], dryRun = true) => {
    try {
      const { outcomes: found, isStored } = await send.mutateAsync({ of: rows, dryRun });
      setChecked({ of, outcomes: found });
      if (!isStored) return;
      rememberColumns(of);
      const count = (status: PersonOutcome['status']) =>
        found.filter((one) => one.status === status).length;
      toast({
        title: t('people.import.done', 'People imported'),
        description: t(
          'people.import.doneCounts',
          '{added, plural, one {# person added} other {# people added}}, {changed, plural, one {# changed} other {# changed}}, {unchanged, plural, one {# unchanged} other {# unchanged}}.',
          {
            added: count('added'),
            changed: count('changed'),
            unchanged: count('unchanged'),
          },
        ),
      });
      onSheet(null);
      await client.invalidateQueries();
      await navigate('/admin/people');
    } catch (error) {
      showFailure(
        dryRun
          ? t('people.import.checkFailed', 'Failed to check the list')
          : t('people.import.failed', 'Failed to import the list'),
        error,
      );
    }
  };
  const correct = (to: PeopleSheet) => {
    onSheet(to);
    if (checked === null) return;
    const next = peopleOf(to, fields);
    if (next.problems.length === 0) void check(to, next.people);
  };
  const refused = outcomes?.some(({ status }) => status === 'refused') ?? false;
  return (
    <>
      <SheetReview sheet={sheet} fields={fields} problems={problems} onSheet={onSheet} />
      {sheet.columns.includes('groups') && (
        <Checkbox
          label={t(
            'people.import.replaceGroups',
            'The groups of this list replace those that these people have',
          )}
          hint={t(
            /* they: groups */ 'people.import.replaceGroupsHint',
            'Otherwise they are added. Someone whose group is empty here keeps theirs.',
          )}
          checked={replacesGroups}
          onChange={({ target }) => {
            setReplacesGroups(target.checked);
            setChecked(null);
          }}
        />
      )}
      {outcomes !== null && (
        <OutcomeList sheet={sheet} people={people} outcomes={outcomes} onSheet={correct} />
      )}
      <div className="flex flex-wrap justify-end gap-3">
        <Button onClick={() => onSheet(null)}>
          {t(/* a button */ 'people.import.another', 'Another list')}
        </Button>
        {outcomes === null || refused ? (
          <Button
            variant="primary"
            busy={send.isPending && t('portal.checking', 'Checking…')}
            aria-disabled={problems.length > 0}
            onClick={() => problems.length === 0 && void check(sheet, people)}
          >
            {t(
              /* a button */ 'people.import.check',
              '{count, plural, one {Check # person} other {Check # people}}',
              { count: people.length },
            )}
          </Button>
        ) : (
          <Button
            variant="primary"
            icon={<Check />}
            busy={send.isPending && t('portal.importing', 'Importing…')}
            onClick={() => void check(sheet, people, false)}
          >
            {t(
              /* a button */ 'people.import.confirm',
              '{count, plural, one {Import # person} other {Import # people}}',
              { count: people.length },
            )}
          </Button>
        )}
      </div>
    </>
  );
}

const PER_PAGE = 50;

/** The outcome of each row. */
function OutcomeList({
  sheet,
  people,
  outcomes,
  onSheet,
}: {
  sheet: PeopleSheet;
  people: readonly PersonRow[];
  outcomes: readonly PersonOutcome[];
  onSheet(sheet: PeopleSheet): void;
}) {
  const first = sheet.hasHead ? 1 : 0;
  const countOf = (status: PersonOutcome['status']) =>
    outcomes.filter((outcome) => outcome.status === status).length;
  const isAnyRefused = countOf('refused') > 0;
  const [status, setStatus] = useState<PersonOutcome['status'] | null>(
    isAnyRefused ? 'refused' : null,
  );
  const [page, setPage] = useState(1);
  const shown = outcomes.flatMap((outcome, i) =>
    status === null || outcome.status === status ? [{ outcome, i }] : [],
  );
  const pages = Math.max(1, Math.ceil(shown.length / PER_PAGE));
  const current = Math.min(page, pages);
  const refusedRows = new Set(
    outcomes.flatMap((outcome, i) => (outcome.status === 'refused' ? [i + first] : [])),
  );
  return (
    <Card
      title={t('people.import.people', '{count, plural, one {# person} other {# people}}', {
        count: outcomes.length,
      })}
      aside={
        <div className="flex flex-wrap items-center gap-3">
          {isAnyRefused && (
            <Button size="dense" onClick={() => onSheet(withoutRows(sheet, refusedRows))}>
              {t(
                /* a button */ 'people.import.leaveOut',
                '{count, plural, one {Leave out # person} other {Leave out # people}}',
                { count: refusedRows.size },
              )}
            </Button>
          )}
          <FilterSelect
            label={t(/* a label: what became of a row */ 'people.import.outcome', 'Outcome')}
            any={t(/* {count}: of rows */ 'people.import.all', 'All ({count})', {
              count: numberText(outcomes.length),
            })}
            className="sm:w-44!"
            options={Object.entries(OUTCOMES).map(([value, [, label]]) => ({
              value: value as PersonOutcome['status'],
              label: t(
                /* {outcome}: 'New', {count}: of rows */ 'people.import.outcomeCount',
                '{outcome} ({count})',
                { outcome: label(), count: numberText(countOf(value as PersonOutcome['status'])) },
              ),
            }))}
            value={status}
            onChange={(next) => {
              setStatus(next);
              setPage(1);
            }}
          />
        </div>
      }
    >
      <ul aria-label={t('people.import.rows', 'Rows of the list')}>
        {shown.slice((current - 1) * PER_PAGE, current * PER_PAGE).map(({ outcome, i }) => (
          <OutcomeRow key={i} {...{ sheet, outcome, onSheet }} person={people[i]} row={i + first} />
        ))}
      </ul>
      {pages > 1 && (
        <div className="px-5 py-3">
          <Pagination page={current} pages={pages} onPage={setPage} />
        </div>
      )}
    </Card>
  );
}

/** The person of a row, and a field for the cell that can be corrected. */
function OutcomeRow({
  sheet,
  row,
  person,
  outcome: { status, at = 'email', sameAs, mayBeNewAddress, changes = [], ...outcome },
  onSheet,
}: {
  sheet: PeopleSheet;
  row: number;
  person: PersonRow | undefined;
  outcome: PersonOutcome;
  onSheet(sheet: PeopleSheet): void;
}) {
  const [tone, label] = OUTCOMES[status];
  const number = sheet.numbers[row] ?? 0;
  // The server counts the people it was sent; titles, heads and blank rows are not among them.
  const other = sheet.numbers[(sameAs ?? 0) - 1 + (sheet.hasHead ? 1 : 0)] ?? 0;
  const reason =
    sameAs === undefined
      ? (outcome.reason ??
        t(/* it: a row of a list */ 'people.import.cannotStore', 'It cannot be stored'))
      : rowText({ code: 'person_repeated', row: other });
  const none = t(/* stands in “Number: none becomes 123” */ 'people.import.none', 'none');
  const column = sheet.columns.indexOf(at);
  const options = columnOptions(usePersonFields());
  const labelOf = (of: string) => options.find(({ value }) => value === of)?.label ?? of;
  const { email = '', externalId = '', groups = [], extraTime } = person ?? {};
  const time =
    extraTime === undefined
      ? []
      : [extraTime === 0 ? t('people.extraTime.no', 'no extra time') : timeText(extraTime)];
  return (
    <li className="grid gap-2 border-b border-line px-5 py-3 last:border-b-0">
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <span className="min-w-8 text-sm text-ink-3 tabular-nums">{number}</span>
        <Badge tone={tone}>{label()}</Badge>
        <span className="font-medium wrap-anywhere">{person && isolated(nameOf(person))}</span>
        <span className="text-ink-2 wrap-anywhere">
          {[email, externalId, ...groups, ...time].filter((text) => text !== '').join(' · ')}
        </span>
      </div>
      {changes.length > 0 && (
        <ul className="grid gap-0.5 text-sm text-ink-2">
          {changes.map(({ column: of, from, to }) => (
            <li key={of} className="wrap-anywhere">
              {t(
                /* {column}: 'Family name', {from}, {to}: what it was and will be */ 'people.import.change',
                '{column}: {from} becomes {to}',
                { column: labelOf(of), from: isolated(from) || none, to: isolated(to) || none },
              )}
            </li>
          ))}
        </ul>
      )}
      {mayBeNewAddress && (
        <p className="flex flex-wrap items-center gap-3">
          {`${reason}. ${t(/* their: of a person with this number */ 'people.import.newAddress', 'Is {email} their new address?', { email: isolated(email) })}`}
          <Button size="dense" onClick={() => onSheet(withNewAddress(sheet, email))}>
            {t(/* a button */ 'people.import.changeAddress', 'Change the address')}
          </Button>
        </p>
      )}
      {status === 'refused' &&
        !mayBeNewAddress &&
        (column < 0 ? (
          <p className="text-bad-ink">{reason}</p>
        ) : (
          <ul>
            <CorrectionField
              entry={sheet.rows[row]?.[column] ?? ''}
              label={t('people.sheet.cell', '{column}, row {row}', {
                column:
                  at === 'email'
                    ? t(/* a label: the address */ 'portal.email', 'Email')
                    : t(/* of a student or employee */ 'portal.number', 'Number'),
                row: number,
              })}
              reason={reason}
              onCorrect={(text) => onSheet(withCell(sheet, { row, column }, text))}
            />
          </ul>
        ))}
    </li>
  );
}
