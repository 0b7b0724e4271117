import { QUESTION_TYPE_NAMES } from '../../lib/question-words.ts';
import { LabelledValue, LabelledValues } from '../../ui/labelled-values.tsx';
import { Cell, HeadCell, Row, Table } from '../../ui/tables/table.tsx';
import { type BankListProps, BankTitle, DIFFICULTY_NAMES, ownerOf } from './bank-cells.tsx';

/** Questions of the bank. */
export function BankTable({ rows, ...selection }: BankListProps) {
  return (
    <Table label="Questions">
      <thead>
        <tr>
          <HeadCell>Question</HeadCell>
          <HeadCell>Type</HeadCell>
          <HeadCell>Difficulty</HeadCell>
          <HeadCell end>Points</HeadCell>
          <HeadCell>Belongs to</HeadCell>
          <HeadCell end>Times seen</HeadCell>
        </tr>
      </thead>
      <tbody>
        {rows.map((question) => (
          <Row key={question.id}>
            <Cell className="w-1/2">
              <BankTitle question={question} {...selection} />
            </Cell>
            <Cell className="whitespace-nowrap text-ink-2">
              {QUESTION_TYPE_NAMES[question.definition.type]}
            </Cell>
            <Cell className="text-ink-2">
              {question.difficulty === null ? '–' : DIFFICULTY_NAMES[question.difficulty]}
            </Cell>
            <Cell end>{question.definition.points}</Cell>
            <Cell className="wrap-anywhere text-ink-2">{ownerOf(question)}</Cell>
            <Cell end>{question.timesSeen.toLocaleString('en-GB')}</Cell>
          </Row>
        ))}
      </tbody>
    </Table>
  );
}

/** The table on narrow screens. */
export function BankCards({ rows, ...selection }: BankListProps) {
  return (
    <ul aria-label="Questions">
      {rows.map((question) => (
        <li
          key={question.id}
          className="grid gap-2.5 border-b border-line px-4 py-3.5 last:border-b-0"
        >
          <BankTitle question={question} {...selection} />
          <LabelledValues>
            <LabelledValue label="Type">
              {QUESTION_TYPE_NAMES[question.definition.type]}
            </LabelledValue>
            <LabelledValue label="Difficulty">
              {question.difficulty === null ? '–' : DIFFICULTY_NAMES[question.difficulty]}
            </LabelledValue>
            <LabelledValue label="Points">{question.definition.points}</LabelledValue>
            <LabelledValue label="Belongs to">{ownerOf(question)}</LabelledValue>
            <LabelledValue label="Times seen">
              {question.timesSeen.toLocaleString('en-GB')}
            </LabelledValue>
          </LabelledValues>
        </li>
      ))}
    </ul>
  );
}
