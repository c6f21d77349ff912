;;; passepartout.el --- Capture, recall, ask and approve from Emacs  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0
;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1"))
;; Keywords: comm, outlines

;;; Commentary:

;; A client of a Passepartout stack, over its HTTP API.  In your init file:
;;
;;   (load "/path/to/passepartout/infra/features/notes/emacs/passepartout.el")
;;   (setq passepartout-folder "/path/to/passepartout/.passepartout")
;;
;; Commands: `passepartout-capture', `passepartout-recall', `passepartout-ask',
;; `passepartout-approve', `passepartout-agenda', `passepartout-focus' and
;; `passepartout-insert-note'; `passepartout-map' has a key for each.
;; The token goes to the stack alone: to this machine, or over https.

;;; Code:

(require 'auth-source)
(require 'cl-lib)
(require 'subr-x)
(require 'url)
(require 'url-http)

(defgroup passepartout nil
  "A client of a Passepartout stack."
  :group 'comm)

(defcustom passepartout-folder nil
  "Data folder of a stack that runs on this machine.
Its files say the address and the token.  Nil: `passepartout-url' is used."
  :type '(choice (const nil) directory))

(defcustom passepartout-url nil
  "Address of the stack: https, or http on this machine alone.
Nil: the one that runs on `passepartout-folder'."
  :type '(choice (const nil) string))

(defcustom passepartout-token-file nil
  "File with the token, alone or as the tokens.json of a data folder.
Nil: that of `passepartout-folder', or else auth-source with the
host of the address and the user \"passepartout\"."
  :type '(choice (const nil) file))

(defcustom passepartout-session "emacs"
  "Name of the conversation that this client has."
  :type 'string)

(defcustom passepartout-wait-seconds 120
  "How long a command waits for the end of a turn."
  :type 'integer)

(defconst passepartout--request-seconds 20 "A stack answers one request sooner.")
(defconst passepartout--answer-chars-max (* 8 1024 1024) "A longer answer is no stack's.")
(defconst passepartout--text-bytes-max (* 200 1024) "More does not fit a message.")

;;;; The way to the stack

(defun passepartout--read-file (file)
  "The text of FILE."
  (with-temp-buffer
    (insert-file-contents file)
    (buffer-string)))

(defun passepartout--parse (text)
  "JSON TEXT as alists and vectors, which say the same; nil if it is none."
  (ignore-errors (json-parse-string text :object-type 'alist :null-object :null :false-object :false)))

(defun passepartout--json (value)
  "VALUE as JSON, in characters."
  (let ((text (json-serialize value :null-object :null :false-object :false)))
    (if (multibyte-string-p text) text (decode-coding-string text 'utf-8))))

(defun passepartout--list (name answer)
  "The list NAME of ANSWER."
  (append (alist-get name answer) nil))

(defun passepartout--in-folder (name)
  "The JSON file NAME of the data folder, or nil."
  (when passepartout-folder
    (let ((file (expand-file-name name passepartout-folder)))
      (and (file-readable-p file) (passepartout--parse (passepartout--read-file file))))))

(unless (and (fboundp 'json-available-p) (json-available-p))
  (error "This Emacs was built without JSON: passepartout.el needs it"))

(defun passepartout--base ()
  "Address of the stack, or an error that says what to set."
  (let* ((given (or passepartout-url (alist-get 'url (passepartout--in-folder "stack.json"))
                    (user-error "No stack: set passepartout-folder or passepartout-url")))
         (parsed (url-generic-parse-url given))
         (local (member (url-host parsed) '("127.0.0.1" "localhost" "::1" "[::1]"))))
    (unless (or (equal (url-type parsed) "https") (and local (equal (url-type parsed) "http")))
      (user-error "The address must begin with https:// (http:// only on this machine)"))
    (when (or (url-user parsed) (url-password parsed))
      (user-error "The address must hold no name and no password"))
    (string-remove-suffix "/" given)))

(defun passepartout--token ()
  "The token.  It is kept in no variable and shown nowhere."
  (let* ((file passepartout-token-file)
         (text (and file (string-trim (passepartout--read-file file))))
         (token (cond ((and text (string-prefix-p "{" text))
                       (alist-get 'approverToken (passepartout--parse text)))
                      (text text)
                      ((alist-get 'approverToken (passepartout--in-folder "tokens.json")))
                      (t (passepartout--auth-source)))))
    (if (and (stringp token) (string-match-p "\\`[!-~]+\\'" token))
        token
      (user-error "No token: set passepartout-token-file, or add one to auth-source"))))

(defun passepartout--auth-source ()
  "The secret of the stack's host, or nil."
  (let* ((host (url-host (url-generic-parse-url (passepartout--base))))
         (found (car (auth-source-search :host host :user "passepartout" :max 1)))
         (secret (plist-get found :secret)))
    (if (functionp secret) (funcall secret) secret)))

(defun passepartout--read-answer (buffer)
  "Status and JSON of the HTTP answer in BUFFER."
  (with-current-buffer buffer
    (when (> (buffer-size) passepartout--answer-chars-max)
      (user-error "The answer is larger than a stack's"))
    (goto-char (point-min))
    (let ((status (and (looking-at "HTTP/[0-9.]+ \\([0-9]\\{3\\}\\)")
                       (string-to-number (match-string 1)))))
      (unless (re-search-forward "\r?\n\r?\n" nil t) (goto-char (point-max)))
      (cons status (passepartout--parse
                    (decode-coding-string (buffer-substring-no-properties (point) (point-max))
                                          'utf-8))))))

(defun passepartout--request (method path &optional query body)
  "Ask METHOD PATH with QUERY, an alist, and BODY, an alist.
Return the answer, or signal an error with the stack's own words."
  (let* ((url-request-method method)
         (url-request-data (and body (encode-coding-string (passepartout--json body) 'utf-8)))
         (url-request-extra-headers
          `(("Authorization" . ,(encode-coding-string (concat "Bearer " (passepartout--token)) 'us-ascii))
            ,@(and body '(("Content-Type" . "application/json")))))
         (url-max-redirections 0) (url-proxy-services nil) (url-debug nil)
         (url-show-status nil) (url-privacy-level 'paranoid) (url-cookie-trusted-urls nil)
         (url-http-attempt-keepalives nil)
         (target (concat (passepartout--base) path (and query "?")
                         (mapconcat (lambda (one)
                                      (concat (url-hexify-string (car one)) "="
                                              (url-hexify-string (cdr one))))
                                    query "&")))
         ;; A refused token is told as an error: nobody is asked for a password.
         (buffer (cl-letf (((symbol-function 'url-http-handle-authentication) (lambda (&rest _) t)))
                   (condition-case nil
                       (url-retrieve-synchronously target t t passepartout--request-seconds)
                     (error nil)))))
    (unless buffer (user-error "The stack does not answer: is it running?"))
    (pcase-let ((`(,status . ,answer) (unwind-protect (passepartout--read-answer buffer)
                                        (kill-buffer buffer))))
      (cond ((and status (< 199 status 300) answer) answer)
            ((alist-get 'error answer)
             (user-error "%s" (passepartout--visible (alist-get 'message (alist-get 'error answer)))))
            (t (user-error "The stack does not answer: is it running?"))))))

(defun passepartout--key ()
  "A name for one request, so that it counts once."
  (substring (secure-hash 'sha256 (format "%s%s%s%s" (random) (float-time) (emacs-pid) (random))) 0 32))

(defun passepartout--end (id)
  "Wait for the end of the turn ID.  Return its answers, and whether it waits."
  (let ((until (+ (float-time) passepartout-wait-seconds)) answer)
    (while (progn
             (setq answer (passepartout--request "GET" (concat "/api/signals/" id)))
             (and (not (eq (alist-get 'isTurnClosed answer) t))
                  (not (equal (alist-get 'turn answer) "waiting"))
                  (< (float-time) until)))
      (sleep-for 0.3))
    (append (passepartout--list 'replies answer)
            (cond ((equal (alist-get 'turn answer) "waiting")
                   '("It waits for your yes: M-x passepartout-approve."))
                  ((not (eq (alist-get 'isTurnClosed answer) t))
                   '("It is still being worked on."))))))

;;;; What is shown

(defun passepartout--visible (text)
  "TEXT with the codes of signs that are not seen, or turn others around."
  (replace-regexp-in-string
   "[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff\ufff9-\ufffb]\\|[\U000e0000-\U000e0fff]"
   (lambda (found) (format "\\u{%x}" (aref found 0)))
   (format "%s" (or text "")) t t))

(defvar passepartout-map
  (let ((map (make-sparse-keymap)))
    (define-key map "c" #'passepartout-capture)
    (define-key map "r" #'passepartout-recall)
    (define-key map "q" #'passepartout-ask)
    (define-key map "y" #'passepartout-approve)
    (define-key map "a" #'passepartout-agenda)
    (define-key map "f" #'passepartout-focus)
    (define-key map "i" #'passepartout-insert-note)
    map)
  "Keys of the client, for a prefix of yours.")

(defvar passepartout-list-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map "f" #'passepartout-focus)
    (define-key map "y" #'passepartout-approve)
    (define-key map "w" #'passepartout-copy-id)
    map))

(define-derived-mode passepartout-list-mode special-mode "Passepartout"
  "Answers of the stack.  Nothing in them can be opened or run.")

(defun passepartout--show (name rows)
  "Show ROWS in the buffer NAME.
A row is a text, or a cons of a text and the id of a note."
  (with-current-buffer (get-buffer-create name)
    (passepartout-list-mode)
    ;; A text that turns around would look like another one.
    (setq bidi-display-reordering nil)
    (let ((inhibit-read-only t))
      (erase-buffer)
      (dolist (row rows)
        (let ((start (point)))
          (insert (passepartout--visible (if (consp row) (car row) row)) "\n")
          (when (consp row) (put-text-property start (point) 'passepartout-id (cdr row)))))
      (goto-char (point-min)))
    (display-buffer (current-buffer))
    (current-buffer)))

(defun passepartout--region-or-line ()
  "The text of the region, or of the line."
  (let ((text (string-trim (if (use-region-p)
                               (buffer-substring-no-properties (region-beginning) (region-end))
                             (buffer-substring-no-properties (line-beginning-position)
                                                             (line-end-position))))))
    (when (string-empty-p text) (user-error "There is no text here"))
    (when (> (string-bytes text) passepartout--text-bytes-max) (user-error "The text is too long to be sent"))
    text))

(defun passepartout--id-at-point ()
  "Id of the note at point: of a list, or in the text; or one that is typed."
  (or (get-text-property (point) 'passepartout-id)
      (let ((word (thing-at-point 'word t)))
        (and word (string-match-p "\\`[0-9a-f]\\{32\\}\\'" word) word))
      (let ((typed (read-string "Id of the note (its first 6 signs or more): ")))
        (if (string-match-p "\\`[0-9a-f]\\{6,32\\}\\'" typed) typed
          (user-error "That is no id of a note")))))

;;;; Commands

;;;###autoload
(defun passepartout-capture ()
  "Keep the region, or the line, as a note of memory.  Tags at its end count."
  (interactive)
  (let ((text (passepartout--region-or-line)))
    (message "%s" (string-join
                   (mapcar #'passepartout--visible
                           (passepartout--end
                            (alist-get 'id (passepartout--request
                                            "POST" "/api/remember"
                                            `(("session" . ,passepartout-session)
                                              ("idempotencyKey" . ,(passepartout--key)))
                                            `((text . ,text))))))
                   "\n"))))

;;;###autoload
(defun passepartout-recall (words)
  "Show the notes that WORDS find."
  (interactive "sFind notes by the words: ")
  (let ((found (passepartout--request "GET" "/api/recall" `(("words" . ,words)))))
    (passepartout--show
     "*Passepartout notes*"
     (or (mapcar (lambda (note)
                   (let ((about (alist-get 'attributes note)))
                     (cons (format "%s %s%s%s\n%s\n" (substring (alist-get 'id note) 0 8)
                                   (if-let ((state (alist-get 'todo about))) (concat state " ") "")
                                   (or (alist-get 'title about) "")
                                   (if (equal (alist-get 'origin note) "outside") " (outside)" "")
                                   (or (alist-get 'content note) ""))
                           (alist-get 'id note))))
                 (passepartout--list 'objects found))
         (passepartout--list 'lines found)))))

;;;###autoload
(defun passepartout-ask (question)
  "Ask QUESTION about the region, or about nothing, and show the answer."
  (interactive "sAsk: ")
  (let* ((text (and (use-region-p) (passepartout--region-or-line)))
         (said (if text (concat question "\n\n" text) question)))
    (message "Asked…")
    (passepartout--show
     "*Passepartout answer*"
     (passepartout--end
      (alist-get 'id (passepartout--request
                      "POST" "/api/messages" nil
                      `((text . ,said) (session . ,passepartout-session)
                        (idempotencyKey . ,(passepartout--key)))))))))

(defun passepartout--approvals ()
  "The cards that wait for a yes."
  (passepartout--list 'approvals (passepartout--request "GET" "/api/approvals")))

(defun passepartout--card (card)
  "All lines of CARD, the exact action last."
  (append (list (alist-get 'sentence card) "")
          (passepartout--list 'unusual card) (passepartout--list 'rest card)
          (list "" "Exactly this is performed:" (passepartout--json (alist-get 'action card)))))

;;;###autoload
(defun passepartout-approve ()
  "Show each card that waits, and ask whether it is approved."
  (interactive)
  (let ((cards (passepartout--approvals)) (count 0))
    (dolist (card cards)
      (let ((id (alist-get 'id card)))
        (passepartout--show "*Passepartout card*" (passepartout--card card))
        (pcase (car (read-multiple-choice
                     "Approve exactly this?"
                     '((?y "yes" "approve it, once") (?n "no" "deny it") (?l "later" "leave it"))))
          (?l nil)
          (choice
           (cl-incf count)
           (passepartout--request "POST" (concat "/api/approvals/" (url-hexify-string id)) nil
                                  `((decision . ,(if (eq choice ?y) "approve" "deny"))))))))
    (message (if cards "%d of %d cards are answered" "Nothing waits for your yes") count (length cards))))

;;;###autoload
(defun passepartout-agenda ()
  "Show what waits for your yes, the active projects, and the jobs."
  (interactive)
  (passepartout--show
   "*Passepartout agenda*"
   (append '("Waits for your yes (y answers):")
           (mapcar (lambda (card) (concat "  " (alist-get 'sentence card))) (passepartout--approvals))
           '("" "Projects:")
           (mapcar (lambda (project)
                     (cons (concat "  " (alist-get 'title (alist-get 'attributes project)))
                           (alist-get 'id project)))
                   (passepartout--list 'projects (passepartout--request "GET" "/api/project/list")))
           '("" "Jobs:")
           (mapcar (lambda (line) (concat "  " line))
                   (passepartout--list 'lines (passepartout--request "GET" "/api/jobs/list"))))))

;;;###autoload
(defun passepartout-focus (id)
  "Tell the stack that you look at the note ID: this conversation is about it."
  (interactive (list (passepartout--id-at-point)))
  (message "%s" (string-join
                 (or (mapcar #'passepartout--visible
                             (passepartout--end
                              (alist-get 'id (passepartout--request
                                              "POST" "/api/memory/point" nil
                                              `((objectId . ,id) (session . ,passepartout-session))))))
                     '("In focus"))
                 "\n")))

(defun passepartout-copy-id ()
  "Copy the id of the note at point."
  (interactive)
  (kill-new (or (get-text-property (point) 'passepartout-id) (user-error "There is no note here"))))

;;;###autoload
(defun passepartout-insert-note (id)
  "Insert a copy of the note ID at point, as a heading of this buffer's format.
A property names the note; text of others is marked, so that it stays such."
  (interactive (list (passepartout--id-at-point)))
  (barf-if-buffer-read-only)
  (let* ((note (alist-get 'object (passepartout--request "GET" "/api/memory" `(("id" . ,id)))))
         (about (alist-get 'attributes note))
         (whole (alist-get 'id note))
         (outside (equal (alist-get 'origin note) "outside"))
         (title (replace-regexp-in-string "[\r\n]+" " " (passepartout--visible (alist-get 'title about))))
         (state (alist-get 'todo about))
         (text (passepartout--visible (alist-get 'content note))))
    (unless (bolp) (insert "\n"))
    (if (derived-mode-p 'org-mode)
        (insert "* " (if state (concat state " ") "") title "\n:PROPERTIES:\n:passepartout-note: " whole "\n"
                (if outside ":passepartout-origin: outside\n" "") ":END:\n"
                ;; A line of its text is no heading.
                (replace-regexp-in-string "^\\(\\*+ \\|#\\+\\)" ",\\1" text) "\n")
      (insert "# " (if state (concat state " ") "") title "\n\n<!-- note "
              (passepartout--json
               `((properties . ((passepartout-note . ,whole)
                                ,@(and outside '((passepartout-origin . "outside")))))))
              " -->\n\n"
              (replace-regexp-in-string "^\\(#+ \\|-\\{3,\\}\\|=\\{3,\\}\\)" "\\\\\\1" text) "\n"))))

(provide 'passepartout)
;;; passepartout.el ends here
