import { chooseEditor, editor, editors } from '../code/editor.ts';

/** What this browser alone keeps: the editor that hits are opened in. */
export function PageSettings() {
  return (
    <section class="table">
      <h2>This browser</h2>
      <div class="setting">
        <div class="setting-name">
          <label for="editor">Editor</label>
          <span class="tag">kept in the browser</span>
        </div>
        <p class="quiet">The program in which “Open” shows a hit. It has to be installed on this machine.</p>
        <div class="setting-value">
          <select
            id="editor"
            value={editor.value}
            onChange={(event) => chooseEditor(event.currentTarget.value)}
          >
            {[...Object.keys(editors), 'none'].map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </div>
      </div>
    </section>
  );
}
