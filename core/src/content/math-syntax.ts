import type { Extension as TreeExtension } from 'mdast-util-from-markdown';
import type { Code, Construct, Extension, State, Tokenizer } from 'micromark-util-types';
import { isTextInDollars } from './dollars.ts';

/**
 * `$…$`, `$$…$$` and a block between two lines of `$$`, for micromark. Pandoc's rule keeps amounts of
 * money as text: no space behind the opening dollar or before the closing one, and no digit behind it.
 * ("$5 and $10" is not mathematics.) dollars.ts keeps cells, variables and regular expressions as text.
 * The first dollar that is not escaped has to close, so that every character is read once or twice however
 * many dollars there are.
 */
declare module 'micromark-util-types' {
  interface TokenTypeMap {
    mathText: 'mathText';
    mathTextFence: 'mathTextFence';
    mathFlow: 'mathFlow';
    mathFlowFence: 'mathFlowFence';
    mathFlowClose: 'mathFlowClose';
    mathValue: 'mathValue';
  }
}

const DOLLAR = 36;
const BACKSLASH = 92;

const isLineEnd = (code: Code) => code !== null && code < -2;
const isSpace = (code: Code) => code === -2 || code === -1 || code === 32;
const isDigit = (code: Code) => code !== null && code >= 48 && code <= 57;

const textOf = (code: Code) => (code === null || code < 0 ? '' : String.fromCharCode(code));

const tokenizeText: Tokenizer = function (effects, ok, nok) {
  const before = textOf(this.previous);
  const { sliceSerialize, now } = this;
  let start = now();
  let fence = 0;
  let previous: Code = null;
  let tex = '';
  let after = '';
  /** Two characters behind the formula decide whether it is one. */
  const nextTwo: Construct = {
    partial: true,
    tokenize(ahead, done) {
      return (first) => {
        after = textOf(first);
        if (after === '') return done(first);
        ahead.enter('mathValue');
        ahead.consume(first);
        return (second) => {
          after += textOf(second);
          ahead.exit('mathValue');
          return done(second);
        };
      };
    },
  };
  const twoDollars: Construct = {
    partial: true,
    tokenize(ahead, isTwo, isOne) {
      return (first) => {
        ahead.enter('mathTextFence');
        ahead.consume(first);
        return (second) => {
          if (second !== DOLLAR) return isOne(second);
          ahead.consume(second);
          ahead.exit('mathTextFence');
          return isTwo;
        };
      };
    },
  };
  return open;

  function open(code: Code): State | undefined {
    effects.enter('mathText');
    effects.enter('mathTextFence');
    return openFence(code);
  }
  function openFence(code: Code): State | undefined {
    if (code === DOLLAR && fence < 3) {
      fence += 1;
      effects.consume(code);
      return openFence;
    }
    effects.exit('mathTextFence');
    if (fence > 2 || (fence === 1 && (isSpace(code) || isLineEnd(code)))) return nok(code);
    start = now();
    return between(code);
  }
  function between(code: Code): State | undefined {
    if (code === null) return nok(code);
    if (isLineEnd(code)) {
      previous = code;
      effects.enter('lineEnding');
      effects.consume(code);
      effects.exit('lineEnding');
      return between;
    }
    if (code === DOLLAR && fence === 1) return closeOf(code);
    if (code === DOLLAR) return effects.check(twoDollars, closeOf, begin)(code);
    effects.enter('mathValue');
    return value(code);
  }
  function value(code: Code): State | undefined {
    // Chemistry and texts have formulas of their own inside: `$$\ce{A ->[$x$] B}$$`.
    if (code === DOLLAR && fence === 2) return effects.check(twoDollars, close, single)(code);
    if (code === null || isLineEnd(code) || code === DOLLAR) {
      effects.exit('mathValue');
      return between(code);
    }
    previous = code;
    effects.consume(code);
    return code === BACKSLASH ? escaped : value;
  }
  function begin(code: Code): State | undefined {
    effects.enter('mathValue');
    return single(code);
  }
  function single(code: Code): State | undefined {
    previous = code;
    effects.consume(code);
    return value;
  }
  function close(code: Code): State | undefined {
    effects.exit('mathValue');
    return closeOf(code);
  }
  function escaped(code: Code): State | undefined {
    if (code === null || isLineEnd(code)) return value(code);
    previous = BACKSLASH;
    effects.consume(code);
    return value;
  }
  function closeOf(code: Code): State | undefined {
    if (fence === 1 && (isSpace(previous) || isLineEnd(previous))) return nok(code);
    if (fence === 1) tex = sliceSerialize({ start, end: now() });
    effects.enter('mathTextFence');
    effects.consume(code);
    return closed;
  }
  function closed(code: Code): State | undefined {
    if (fence === 2) {
      effects.consume(code);
      fence = 0;
      return closed;
    }
    if (fence === 1) {
      if (isDigit(code) || code === DOLLAR) return nok(code);
      return effects.check(nextTwo, decided, decided)(code);
    }
    return end(code);
  }
  function decided(code: Code): State | undefined {
    return isTextInDollars(tex, before, after) ? nok(code) : end(code);
  }
  function end(code: Code): State | undefined {
    effects.exit('mathTextFence');
    effects.exit('mathText');
    return ok(code);
  }
};

const mathText: Construct = {
  name: 'mathText',
  tokenize: tokenizeText,
  previous(code) {
    return code !== DOLLAR || this.events.at(-1)?.[1].type === 'characterEscape';
  },
};

/** A line end that is followed by another line of the same quote or list item. */
const nextLine: Construct = {
  partial: true,
  tokenize(effects, ok, nok) {
    const { parser, now } = this;
    return (code) => {
      if (code === null) return nok(code);
      effects.enter('lineEnding');
      effects.consume(code);
      effects.exit('lineEnding');
      return (next) => (parser.lazy[now().line] ? nok(next) : ok(next));
    };
  },
};

const closingLine: Construct = {
  partial: true,
  tokenize(effects, ok, nok) {
    return fenceLine(effects, ok, nok, 'mathFlowClose');
  },
};

/** Two dollars and nothing else on the line. */
function fenceLine(
  effects: Parameters<Tokenizer>[0],
  ok: State,
  nok: State,
  type: 'mathFlowFence' | 'mathFlowClose',
): State {
  let dollars = 0;
  return (code) => {
    effects.enter(type);
    return inside(code);
  };
  function inside(code: Code): State | undefined {
    if (code === null || isLineEnd(code)) {
      if (dollars !== 2) return nok(code);
      effects.exit(type);
      return ok(code);
    }
    if (code === DOLLAR) dollars += 1;
    else if (!isSpace(code)) return nok(code);
    effects.consume(code);
    return inside;
  }
}

/**
 * A formula between two lines of dollars. If the closing line is missing, it reaches to the end of its quote,
 * list item or text, as fenced code does.
 */
const mathFlow: Construct = {
  name: 'mathFlow',
  concrete: true,
  tokenize(effects, ok, nok) {
    const { interrupt } = this;
    return (code) => {
      effects.enter('mathFlow');
      return fenceLine(effects, interrupt ? ok : lineEnd, nok, 'mathFlowFence')(code);
    };
    function lineEnd(code: Code): State | undefined {
      return effects.attempt(nextLine, effects.attempt(closingLine, end, line), end)(code);
    }
    function line(code: Code): State | undefined {
      if (code === null || isLineEnd(code)) return lineEnd(code);
      effects.enter('mathValue');
      return value(code);
    }
    function value(code: Code): State | undefined {
      if (code === null || isLineEnd(code)) {
        effects.exit('mathValue');
        return lineEnd(code);
      }
      effects.consume(code);
      return value;
    }
    function end(code: Code): State | undefined {
      effects.exit('mathFlow');
      return ok(code);
    }
  },
};

export const mathSyntax: Extension = {
  flow: { [DOLLAR]: mathFlow },
  text: { [DOLLAR]: mathText },
};

/** The nodes for it: `math` and `inlineMath`, named as in mdast-util-math. */
export const mathTree: TreeExtension = {
  enter: {
    mathFlow(token) {
      this.enter({ type: 'math', value: '' } as never, token);
    },
    mathText(token) {
      this.enter({ type: 'inlineMath', value: '' } as never, token);
    },
  },
  exit: {
    mathFlow(token) {
      this.exit(token);
    },
    mathText(token) {
      this.exit(token);
    },
    mathValue(token) {
      const node = this.stack.at(-1);
      if (node === undefined || !('value' in node)) return;
      node.value += `${node.value === '' ? '' : '\n'}${this.sliceSerialize(token)}`;
    },
  },
};
