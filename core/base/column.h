// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

namespace tfprof {

// A growing array of plain values, designed for hundreds of megabytes. Small arrays live on the
// heap. Larger ones are a private mapping of huge pages that grows by mremap: nothing is copied,
// and pages that were never written cost nothing. Growth moves the values: a pointer into a Column
// is valid until the next Push or Resize.
template <class T>
class Column {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Column() = default;
  explicit Column(const Column& other) {
    if (!other.empty()) std::memcpy(Extend(other.size_), other.data_, other.bytes());
  }
  Column& operator=(const Column&) = delete;
  Column(Column&& other) noexcept { Swap(other); }
  Column& operator=(Column&& other) noexcept {
    Swap(other);
    return *this;
  }
  ~Column() { Release(); }

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return data_; }
  const T* data() const { return data_; }
  T& operator[](size_t row) { return data_[row]; }
  const T& operator[](size_t row) const { return data_[row]; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }
  T& back() { return data_[size_ - 1]; }
  const T& back() const { return data_[size_ - 1]; }
  std::span<const T> Rows(size_t first, size_t count) const { return {data_ + first, count}; }

  void Push(const T& value) {
    if (size_ == capacity_) [[unlikely]] {
      const T copy = value;  // `value` may be in this column
      Grow(size_ + 1);
      data_[size_++] = copy;
      return;
    }
    data_[size_++] = value;
  }

  // Adds `count` uninitialized values; the caller writes all of them.
  T* Extend(size_t count) {
    if (capacity_ - size_ < count) Grow(size_ + count);
    T* first = data_ + size_;
    size_ += count;
    return first;
  }

  // New rows have the value `fill`.
  void Resize(size_t rows, const T& fill = T{}) {
    const T copy = fill;
    const size_t old = size_;
    if (rows > capacity_) Grow(rows);
    size_ = rows;
    for (size_t i = old; i < rows; ++i) data_[i] = copy;
  }

  void Reserve(size_t rows) {
    if (rows > capacity_) Grow(rows);
  }
  void Clear() { size_ = 0; }
  size_t bytes() const { return size_ * sizeof(T); }

 private:
  // The kernel clears a huge page in the time of about 90 small pages.
  static constexpr size_t kMaxOnHeap = (size_t{1} << 20) / sizeof(T);  // max values on the heap
  static constexpr size_t kHugePage = size_t{2} << 20;

  void Swap(Column& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    std::swap(mapped_bytes_, other.mapped_bytes_);
  }

  void Release() {
    if (mapped_bytes_ != 0) {
      munmap(static_cast<void*>(data_), mapped_bytes_);
    } else {
      std::free(static_cast<void*>(data_));
    }
  }

  __attribute__((noinline)) void Grow(size_t rows) {
    size_t wanted = capacity_ * 2 > rows ? capacity_ * 2 : rows;
    if (wanted < 16) wanted = 16;
    if (rows <= kMaxOnHeap) {
      if (wanted > kMaxOnHeap) wanted = kMaxOnHeap;
      if (size_ < capacity_ / 2) {
        MoveTo(wanted);
        return;
      }
      void* moved = std::realloc(static_cast<void*>(data_), wanted * sizeof(T));
      if (moved == nullptr) throw std::bad_alloc();
      data_ = static_cast<T*>(moved);
      capacity_ = wanted;
      return;
    }
    GrowMapped((wanted * sizeof(T) + kHugePage - 1) / kHugePage * kHugePage);
  }

  // Grows on the heap. realloc would also copy reserved values that were never written.
  void MoveTo(size_t rows) {
    void* moved = std::malloc(rows * sizeof(T));
    if (moved == nullptr) throw std::bad_alloc();
    if (size_ > 0) std::memcpy(moved, static_cast<const void*>(data_), size_ * sizeof(T));
    std::free(static_cast<void*>(data_));
    data_ = static_cast<T*>(moved);
    capacity_ = rows;
  }

  void GrowMapped(size_t bytes) {
#ifdef TFPROF_NO_MREMAP  // the thread sanitizer does not follow pages that mremap moves
    const bool grows = false;
#else
    const bool grows = mapped_bytes_ != 0;
#endif
    void* moved = grows ? mremap(static_cast<void*>(data_), mapped_bytes_, bytes, MREMAP_MAYMOVE)
                        : mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (moved == MAP_FAILED) throw std::bad_alloc();
    madvise(moved, bytes, MADV_HUGEPAGE);
    if (!grows && data_ != nullptr) {
      std::memcpy(moved, static_cast<const void*>(data_), size_ * sizeof(T));
      Release();
    }
    data_ = static_cast<T*>(moved);
    mapped_bytes_ = bytes;
    capacity_ = bytes / sizeof(T);
  }

  T* data_ = nullptr;
  size_t size_ = 0;
  size_t capacity_ = 0;
  size_t mapped_bytes_ = 0;  // 0: on the heap
};

}  // namespace tfprof
